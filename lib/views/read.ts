import { randomUUID } from 'node:crypto'
import { headers } from 'next/headers'
import type { Context, Session } from '#lib/core/context/context.ts'
import { openSiteCookie, readSiteSession } from '#lib/core/identity/site-session.ts'
import { contractVerification, type SourcifyState } from '#lib/features/verifier/index.ts'
import { currentRequest } from '#lib/platform/telemetry/request-scope.ts'
import { getServices } from '#lib/server/services.ts'
import { readStatus, type Status } from '#lib/server/status/read-status.ts'
import { PLAIN_WORDS, type SiteWords } from './site-words.ts'
import { noteUnreadPage } from './unread-page.ts'

/** The data of a page; `ok: false` when the database could not be read. */
export type Reading<T> = { readonly ok: true; readonly value: T } | { readonly ok: false }

/** Reads a page's data; logs failures, so that the page can show that the database is unreachable. */
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

/** Milliseconds that all reads of a page may take together. */
export const TIMEOUT_MS = 5000

/** The context of a page's reads: without a caller, with a timeout. */
export async function pageContext(): Promise<Context> {
  return {
    ...(await getServices()),
    requestId: currentRequest()?.requestId ?? randomUUID(),
    caller: undefined,
    session: undefined,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    principal: currentRequest()?.principal,
  }
}

/** The operator's words; with an invalid configuration, those of Weft. */
export async function siteWords(): Promise<SiteWords> {
  try {
    return (await getServices()).config.site
  } catch (error) {
    console.error(error)
    return PLAIN_WORDS
  }
}

/** The origin that the site is set up for; undefined with an invalid configuration. */
export async function configuredOrigin(): Promise<string | undefined> {
  try {
    return (await getServices()).config.siteOrigin
  } catch {
    return undefined
  }
}

/** The status of this server; undefined with an invalid configuration. */
export async function statusView(): Promise<
  | {
      readonly status: Status
      readonly sourcify: SourcifyState
    }
  | undefined
> {
  try {
    const ctx = await pageContext()
    const [status, sourcify] = await Promise.all([
      readStatus(ctx),
      // The status page is there to say that the database is away.
      contractVerification(ctx).catch(() => ({ configured: false, verdicts: [] })),
    ])
    return { status, sourcify }
  } catch (error) {
    console.error(error)
    return undefined
  }
}

/**
 * The session of the site's cookie; undefined for visitors, and when it cannot be read.
 * For rendering only, never for actions: cross-site links carry the cookie too.
 */
export async function readViewer(): Promise<Session | undefined> {
  try {
    const services = await getServices()
    const cookie = await openSiteCookie(services.config, (await headers()).get('cookie'))
    return await readSiteSession(services, { ...(cookie.token !== undefined && { token: cookie.token }) })
  } catch (error) {
    console.error(error)
    return undefined
  }
}

/** A page of the signed-in account: neither a session nor a view for visitors, nor where `readable` is false. */
export type OwnPage<View> =
  | { readonly readable: true; readonly session: Session; readonly view: View }
  | { readonly readable: boolean; readonly session: undefined; readonly view: undefined }

/** Reads a page of the signed-in account, as `readForPage` does. */
export async function readOwnPage<View>(
  what: string,
  read: (ctx: Context, session: Session) => Promise<View>,
): Promise<OwnPage<View>> {
  const session = await readViewer()
  if (session === undefined) return { readable: true, session: undefined, view: undefined }
  const reading = await readForPage(what, (ctx) => read(ctx, session))
  return reading.ok
    ? { readable: true, session, view: reading.value }
    : { readable: false, session: undefined, view: undefined }
}
