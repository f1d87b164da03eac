import { type CookieJar, type CookieStore, getIronSession, type IronSession, webCookies } from 'iron-session'
import { decodeJwt } from 'jose'
import type { Config } from '../config.ts'
import type { Services } from '../context.ts'
import { verifyChainToken } from './chain-token.ts'
import { findSession, type LiveSession } from './find-session.ts'
import { isSameOrigin } from './same-origin.ts'

const COOKIE_SECONDS = 24 * 60 * 60

/** What is sealed in the cookie: tokens that no script of the page can read. */
interface SiteCookieContent {
  /** Of the services API. */
  token: string
  /** Of the chain API; for the same account. */
  chainToken: string
}

export type SiteCookie = IronSession<SiteCookieContent>

/** A person signed in to our own site. */
export interface SiteSession extends LiveSession {
  /** The access token of the chain API, while it lasts. */
  readonly chain: { readonly token: string; readonly expiresAt: Date } | undefined
}

type SiteServices = Pick<Services, 'db' | 'config' | 'clock'>

/**
 * The session cookie of the site.
 *
 * @param cookies Of a request and its response (`webCookies`), or Next's own `await cookies()`.
 */
export function openSiteCookie(config: Config, cookies: CookieJar | CookieStore): Promise<SiteCookie> {
  const secure = config.siteOrigin.startsWith('https:')
  return getIronSession<SiteCookieContent>(cookies, {
    // The prefix makes browsers refuse the name from other hosts and from plain HTTP.
    cookieName: secure ? '__Host-weft-session' : 'weft-session',
    password: Buffer.from(config.sessionKey).toString('hex'),
    ttl: COOKIE_SECONDS,
    cookieOptions: { httpOnly: true, sameSite: 'lax', secure, path: '/' },
  })
}

/** Who a cookie stands for, as far as the session behind it is live. Says nothing about who sent it. */
export async function readSiteSession(
  services: SiteServices,
  { token, chainToken }: Partial<SiteCookieContent>,
): Promise<SiteSession | undefined> {
  const session = typeof token === 'string' ? await findSession(services, token) : undefined
  if (session === undefined) return undefined
  const account = typeof chainToken === 'string' ? await verifyChainToken(services, chainToken) : undefined
  if (chainToken === undefined || account !== session.address) return { ...session, chain: undefined }
  const expiresAt = new Date((decodeJwt(chainToken).exp ?? 0) * 1000)
  return { ...session, chain: { token: chainToken, expiresAt } }
}

/** The site session of a request from one of our own pages, by its headers; undefined for every other request. */
export async function siteSessionOf(
  headers: Pick<Headers, 'get'>,
  services: SiteServices,
): Promise<SiteSession | undefined> {
  const cookie = headers.get('cookie')
  if (cookie === null || !isSameOrigin(headers, services.config.siteOrigin)) return undefined
  const cookies = webCookies(new Request(services.config.siteOrigin, { headers: { cookie } }), new Headers())
  return readSiteSession(services, await openSiteCookie(services.config, cookies))
}
