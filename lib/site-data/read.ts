import type { Context } from '../context.ts'
import { pageContext } from './page-context.ts'
import { noteUnreadPage } from './unread-page.ts'

/** What a page came by: its data, or nothing because the network could not be read, which the page then says. */
export type Reading<T> = { readonly ok: true; readonly value: T } | { readonly ok: false }

/** Reads for a page. A server that does not reach its database still has a page to show. */
export async function readForPage<T>(what: string, read: (ctx: Context) => Promise<T>): Promise<Reading<T>> {
  let ctx: Context | undefined
  try {
    ctx = await pageContext()
    return { ok: true, value: await read(ctx) }
  } catch (error) {
    noteUnreadPage()
    if (ctx === undefined) console.error(error)
    else ctx.log.error({ err: error, requestId: ctx.requestId }, `could not read ${what} for a page`)
    return { ok: false }
  }
}
