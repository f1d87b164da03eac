import { cookies } from 'next/headers'
import type { Session } from '../context.ts'
import { openSiteCookie, readSiteSession } from '../identity/site-session.ts'
import { getServices } from '../services.ts'

/**
 * Who looks at a page, as far as the cookie of the site says; undefined for visitors, and while that cannot be read.
 * For what a page shows, never for what it does: a link from elsewhere brings the cookie along.
 */
export async function readViewer(): Promise<Session | undefined> {
  try {
    const services = await getServices()
    const cookie = await openSiteCookie(services.config, await cookies())
    return await readSiteSession(services, { ...(cookie.token !== undefined && { token: cookie.token }) })
  } catch (error) {
    console.error(error)
    return undefined
  }
}
