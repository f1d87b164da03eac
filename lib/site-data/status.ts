import { readStatus, type Status } from '../status/read-status.ts'
import { pageContext } from './page-context.ts'

/** How this server is; undefined when it cannot even be asked, because its configuration is not usable. */
export async function statusView(): Promise<Status | undefined> {
  try {
    return await readStatus(await pageContext())
  } catch (error) {
    console.error(error)
    return undefined
  }
}
