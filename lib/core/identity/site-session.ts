import { getIronSession, type IronSession, type SessionOptions } from 'iron-session'
import type { Services } from '#lib/core/context/context.ts'
import type { Config } from '#lib/platform/config.ts'
import { findSession, type LiveSession } from './sessions.ts'

const COOKIE_SECONDS = 24 * 60 * 60

/** Content of the sealed cookie, which scripts cannot read. */
interface SiteCookieContent {
  /** Token of a session of the services API; from our own pages it counts for the chain API, too. */
  token: string
}

export type SiteCookie = IronSession<Partial<SiteCookieContent>>

type SiteServices = Pick<Services, 'db' | 'config' | 'clock'>

/**
 * Opens the session cookie of the site.
 *
 * @param cookieHeader Of the request; a cookie that cannot be unsealed yields an empty session.
 * @param answerHeaders Take the `Set-Cookie` of `save` and `destroy`.
 */
export async function openSiteCookie(
  config: Config,
  cookieHeader: string | null,
  answerHeaders = new Headers(),
): Promise<SiteCookie> {
  const secure = config.siteOrigin.startsWith('https:')
  const options: SessionOptions = {
    // The prefix makes browsers refuse the name from other hosts and from plain HTTP.
    cookieName: secure ? '__Host-weft-session' : 'weft-session',
    password: Buffer.from(config.sessionKey).toString('hex'),
    ttl: COOKIE_SECONDS,
    cookieOptions: { httpOnly: true, sameSite: 'lax', secure, path: '/' },
  }
  const open = (cookie: string) =>
    getIronSession<Partial<SiteCookieContent>>(
      new Request(config.siteOrigin, { headers: { cookie } }),
      // Nothing else of a response is used.
      { headers: answerHeaders } as Response,
      options,
    )
  // Some malformed seals are errors of the library, others an empty session.
  return open(cookieHeader ?? '').catch(() => open(''))
}

/** Returns the live session of a cookie. Does not check the origin of the request. */
export async function readSiteSession(
  services: SiteServices,
  { token }: Partial<SiteCookieContent>,
): Promise<LiveSession | undefined> {
  return typeof token === 'string' ? findSession(services, token) : undefined
}

/** Returns the site session of a request from one of our own pages; undefined for every other request. */
export async function siteSessionOf(
  headers: Pick<Headers, 'get'>,
  services: SiteServices,
): Promise<LiveSession | undefined> {
  const cookie = headers.get('cookie')
  if (cookie === null || !isSameOrigin(headers, services.config.siteOrigin)) return undefined
  return readSiteSession(services, await openSiteCookie(services.config, cookie))
}

/**
 * Whether a request comes from one of our own pages, by headers that scripts cannot set; false without them. Protects
 * cookie authentication against CSRF.
 *
 * @param siteOrigin For instance `https://weft.example`.
 */
export function isSameOrigin(headers: Pick<Headers, 'get'>, siteOrigin: string): boolean {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  if (site !== null) {
    if (site !== 'same-origin') return false
    // The site may have other names than the configured one, for instance 127.0.0.1 beside localhost.
    const host = headers.get('host') || undefined
    return (
      origin === null || origin === siteOrigin || (host !== undefined && URL.parse(origin)?.host === host)
    )
  }
  // Without TLS, browsers send `Sec-Fetch-Site` to loopback only.
  if (origin !== null) return origin === siteOrigin
  return URL.parse(headers.get('referer') ?? '')?.origin === siteOrigin
}
