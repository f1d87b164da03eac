import { createHash } from 'node:crypto'
import { assetHosts, worldFrameSources } from '../worlds/asset-policy.ts'

/** What the policy of our pages depends on, besides the request. */
export interface PolicySettings {
  readonly siteOrigin: string
  readonly assetOrigin: string | undefined
  /** Offers WalletConnect, which browsers then reach. */
  readonly walletConnectProjectId: string | undefined
  /** Where browsers reach the chain. */
  readonly rpcUrl: string | undefined
  /** Texts of the inline scripts that are the same in every page. */
  readonly inlineScripts: readonly string[]
  /** Under `next dev`, whose scripts evaluate code and whose styles come inline. */
  readonly development?: boolean
}

/** The page with the viewer of the API reference, which writes style sheets of its own and knows no nonce. */
const REFERENCE = '/docs/api'

/** Its relay, and what its client asks besides. */
const WALLET_CONNECT = [
  'wss://relay.walletconnect.com',
  'wss://relay.walletconnect.org',
  'https://*.walletconnect.com',
  'https://*.walletconnect.org',
]

/**
 * The policy of our own pages, for any nonce.
 *
 * Scripts run because they are ours, not because of where they come from: Worlds, which are strangers' code, may be
 * served from this very origin. Trusted are the framework's scripts, by the nonce it writes into its own tags; our own
 * inline ones, by what they say; and what those load. Nothing is evaluated. `frame-src` also holds for what a World
 * does with its frame: it can lead it to no other address.
 *
 * @returns Takes the path of the page, and a nonce that nobody can guess, made for one answer.
 */
export function contentPolicy(settings: PolicySettings): (path: string, nonce: string) => string {
  const { rpcUrl, walletConnectProjectId, inlineScripts, development = false } = settings
  const hosts = assetHosts({ ...settings, allowedOrigins: [] })
  const hashes = inlineScripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  const reached = [
    "'self'",
    ...(rpcUrl === undefined ? [] : [new URL(rpcUrl).origin]),
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
    `connect-src ${reached.join(' ')}`,
    `frame-src ${worldFrameSources(hosts).join(' ')}`,
    "frame-ancestors 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    ...(settings.siteOrigin.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
  return (path, nonce) => {
    const inlineStyles = development || path === REFERENCE ? "'unsafe-inline'" : `'nonce-${nonce}'`
    return `${begin}${nonce}${afterScripts}; style-src 'self' ${inlineStyles}`
  }
}
