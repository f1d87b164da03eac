import { createHash, randomBytes } from 'node:crypto'
import { assetHosts, worldFrameSources } from '#lib/core/worlds/world-csp.ts'
import { isLoopback } from '#lib/protocol/dev-chain.ts'

/** One year. */
const HTTPS_ONLY = 'max-age=31536000'

/** Features that neither our pages nor the Worlds in them use. */
const REFUSED = [
  ...['accelerometer', 'browsing-topics', 'camera', 'display-capture', 'encrypted-media'],
  ...['geolocation', 'gyroscope', 'hid', 'idle-detection', 'local-fonts', 'magnetometer', 'microphone'],
  ...['payment', 'picture-in-picture', 'screen-wake-lock', 'serial', 'storage-access', 'usb'],
  ...['window-management', 'xr-spatial-tracking'],
]

/** Features of our own pages; Worlds, whose origin is another one, have none of them. */
const OWN = ['midi', 'publickey-credentials-create', 'publickey-credentials-get']

/** Pictures that other sites may embed, and the scripts of players, whose frames may have no origin. */
const EMBEDDED = /^\/(?:_next\/static\/.+|run\/[^/]+\/image|pictures\/[^/]+\/[^/]+\.png)$/

/** Players that other sites may show in frames: they carry no session and offer nothing to press by mistake. */
const FRAMED = /^\/embed\/(?:connector|run)\/[^/]+$/

/** The page whose assistant reaches the endpoint of its reader's choice. */
const STUDIO = '/studio'

/** Headers of a response that is, or belongs to, a page of the site. */
export type PageHeaders = Readonly<Record<string, string>> & { readonly 'Content-Security-Policy': string }

/** @returns Maps the path of a request to the headers of its response, with a fresh nonce each time. */
export function pageHeaders(settings: PolicySettings): (path: string) => PageHeaders {
  const policy = contentPolicy(settings)
  const origin = new URL(settings.siteOrigin)
  const secure = origin.protocol === 'https:'
  const always = {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': [
      ...REFUSED.map((name) => `${name}=()`),
      ...OWN.map((name) => `${name}=(self)`),
    ].join(', '),
    // Elsewhere browsers ignore it with a warning.
    ...(secure || isLoopback(origin.hostname) ? { 'Cross-Origin-Opener-Policy': 'same-origin' } : {}),
    ...(secure ? { 'Strict-Transport-Security': HTTPS_ONLY } : {}),
  }
  return (path) => {
    const framed = FRAMED.test(path)
    return {
      ...always,
      ...(framed ? {} : { 'X-Frame-Options': 'DENY' }),
      'Cross-Origin-Resource-Policy': framed || EMBEDDED.test(path) ? 'cross-origin' : 'same-origin',
      'Content-Security-Policy': policy(randomBytes(18).toString('base64url'), framed, path === STUDIO),
    }
  }
}

declare global {
  // Next bundles `proxy.ts` apart from the server's own code; the two share no module, only the process.
  var weftSendsPageHeaders: boolean | undefined
}

/** Records that this process sets the headers of pages before Next handles a request; no request can set it. */
export function sendPageHeadersOurselves(): void {
  globalThis.weftSendsPageHeaders = true
}

/** Whether `sendPageHeadersOurselves` was called in this process. */
export function arePageHeadersSent(): boolean {
  return globalThis.weftSendsPageHeaders === true
}

/** Settings of the policy of the site's own pages. */
export interface PolicySettings {
  readonly siteOrigin: string
  readonly assetOrigin: string | undefined
  /** Offers WalletConnect, which browsers then reach. */
  readonly walletConnectProjectId: string | undefined
  /** Where browsers reach the chain. */
  readonly rpcUrl: string | undefined
  /** Bucket that pages send large bundles to. */
  readonly uploadOrigin?: string | undefined
  /** Origins that the studio's page alone may connect to. */
  readonly studioEndpoints?: readonly string[]
  /** Texts of the inline scripts that are the same in every page. */
  readonly inlineScripts: readonly string[]
  /** Under `next dev`, whose scripts evaluate code and whose styles come inline. */
  readonly development?: boolean
}

/** Its relay and the APIs of its client. */
const WALLET_CONNECT = [
  'wss://relay.walletconnect.com',
  'wss://relay.walletconnect.org',
  'https://*.walletconnect.com',
  'https://*.walletconnect.org',
]

/**
 * The policy of our own pages, for any nonce.
 *
 * Scripts are trusted individually, not by origin: Worlds, which are third-party code, may be served from this very
 * origin. Trusted are the framework's scripts, by nonce; our own inline scripts, by hash; and what those load. Nothing
 * is evaluated. `frame-src` also restricts navigation of its frame by a World.
 *
 * @returns Maps an unguessable nonce, made for one response, to the policy; `framed` lets other sites frame the page,
 *   `assisted` lets it connect to the endpoints of assistants.
 */
function contentPolicy(
  settings: PolicySettings,
): (nonce: string, framed: boolean, assisted: boolean) => string {
  const { rpcUrl, uploadOrigin, walletConnectProjectId, inlineScripts, development = false } = settings
  const endpoints = (settings.studioEndpoints ?? []).map((each) => ` ${each}`).join('')
  const hosts = assetHosts({ ...settings, allowedOrigins: [] })
  const hashes = inlineScripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  const reached = [
    "'self'",
    ...(rpcUrl === undefined ? [] : [new URL(rpcUrl).origin]),
    ...(uploadOrigin === undefined ? [] : [uploadOrigin]),
    ...(walletConnectProjectId === undefined ? [] : WALLET_CONNECT),
  ]
  const scripts = [...hashes, "'strict-dynamic'", ...(development ? ["'unsafe-eval'"] : [])].join(' ')
  const begin = "default-src 'self'; script-src 'self' 'nonce-"
  const afterScripts = [
    `' ${scripts}`,
    // Pages come with drawings, bars and charts whose sizes and colours are in style attributes; those run nothing.
    "style-src-attr 'unsafe-inline'",
    // Pictures of Worlds, of wallets (which hand them over as text), and those that are drawn here.
    `img-src 'self' data: blob: ${hosts.assetOrigins.join(' ')}`,
    "font-src 'self'",
    "media-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    `frame-src ${worldFrameSources(hosts).join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    ...(settings.siteOrigin.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
  return (nonce, framed, assisted) =>
    `${begin}${nonce}${afterScripts}; connect-src ${reached.join(' ')}${assisted ? endpoints : ''}; frame-ancestors ${framed ? '*' : "'none'"}; style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`
}
