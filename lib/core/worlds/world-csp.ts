import { isPage } from '#lib/compute/bundle/mime.ts'

/** Origins that serve Worlds and origins that may embed them. */
export interface AssetHosts {
  /** Origins that Worlds may be loaded from, as browsers see them: `https://worlds.example`. */
  readonly assetOrigins: readonly string[]
  /** Origins of the pages that show Worlds: the site's, and others that the operator names. */
  readonly framingOrigins: readonly string[]
}

/** Base path of the services API; part of every source, so that nothing else of the origin can be reached. */
const BASE = '/services'

/** The origins of the configuration. Loopback has two host names, and both are in use while developing. */
export function assetHosts(config: {
  readonly siteOrigin: string
  readonly assetOrigin?: string | undefined
  readonly allowedOrigins: readonly string[]
  readonly worldFrameAncestors?: readonly string[]
}): AssetHosts {
  return {
    assetOrigins: spellings([config.assetOrigin ?? config.siteOrigin]),
    framingOrigins: spellings([
      config.siteOrigin,
      ...config.allowedOrigins,
      ...(config.worldFrameAncestors ?? []),
    ]),
  }
}

/** Sources for the `frame-src` of pages that show Worlds: a World can then navigate its frame nowhere else. */
export function worldFrameSources(hosts: AssetHosts): readonly string[] {
  return hosts.assetOrigins.map((origin) => `${origin}${BASE}/world-assets/`)
}

/** `Sec-CH-UA` and `Sec-CH-UA-Platform` of a request; Chromium alone sends them. */
export interface BrowserHints {
  readonly brands?: string | undefined
  readonly platform?: string | undefined
}

/** The first Chromium that knows `webrtc 'block'`. */
const WEBRTC_SINCE = 152

/** Names in the policies that a browser does not know: it would only complain of them in its console. */
function unknownTo({ brands = '', platform }: BrowserHints): ReadonlySet<string> {
  const [, version] = /"Chromium";v="(\d+)/.exec(brands) ?? []
  if (version === undefined) return new Set()
  return new Set([
    ...(Number(version) < WEBRTC_SINCE ? ['webrtc'] : []),
    // Chromium has nothing to share with there.
    ...(platform === '"Linux"' ? ['web-share'] : []),
  ])
}

/**
 * Headers that block network access of a World. Sent with every file, because a frame may navigate to any of them.
 *
 * @param browser Of a page's request: what it does not know is left out.
 */
export function assetHeaders(
  hosts: AssetHosts,
  file: { readonly worldId: string; readonly path: string; readonly permissions: readonly string[] },
  browser: BrowserHints = {},
): Readonly<Record<string, string>> & { readonly 'Content-Security-Policy': string } {
  const own = hosts.assetOrigins.map(
    (origin) => `${origin}${BASE}/world-assets/${encodeURIComponent(file.worldId)}/`,
  )
  const sdk = hosts.assetOrigins.map((origin) => `${origin}${BASE}/js/sdk/`)
  const unknown = unknownTo(isPage(file.path) ? browser : {})
  return {
    'Content-Security-Policy': contentPolicy(own, sdk, hosts, file, unknown),
    'Permissions-Policy': permissionsPolicy(file.permissions, unknown),
    'Connection-Allowlist': `(${[...own, ...sdk].map((url) => `"${url}*"`).join(' ')});webrtc=block`,
    'X-Content-Type-Options': 'nosniff',
    'X-DNS-Prefetch-Control': 'off',
    'Referrer-Policy': 'no-referrer',
    // The frame's origin is opaque and matches no other.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Access-Control-Allow-Origin': '*',
    'X-Robots-Tag': 'noindex',
  }
}

function contentPolicy(
  own: readonly string[],
  sdk: readonly string[],
  hosts: AssetHosts,
  file: { readonly path: string; readonly permissions: readonly string[] },
  unknown: ReadonlySet<string>,
): string {
  const mine = own.join(' ')
  const scripts = isPage(file.path)
  const flags = [
    ...(scripts ? ['allow-scripts'] : []),
    ...(file.permissions.includes('browser.downloads') ? ['allow-downloads'] : []),
  ]
  return [
    "default-src 'none'",
    // No inline, eval or blob scripts: those would run without the prelude.
    `script-src ${scripts ? `${mine} ${sdk.join(' ')} 'wasm-unsafe-eval'` : "'none'"}`,
    `style-src ${mine} 'unsafe-inline'`,
    `img-src ${mine} data: blob:`,
    `media-src ${mine} data: blob:`,
    `font-src ${mine} data:`,
    `connect-src ${mine} data: blob:`,
    "worker-src 'none'",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${hosts.framingOrigins.join(' ')}`,
    ...(unknown.has('webrtc') ? [] : ["webrtc 'block'"]),
    ['sandbox', ...flags].join(' '),
  ].join('; ')
}

/**
 * Features a document has unless its headers deny them; all are denied, except sound where the World has the
 * permission.
 */
const FEATURES = [
  ...['accelerometer', 'attribution-reporting', 'autoplay'],
  ...['browsing-topics', 'camera', 'captured-surface-control', 'clipboard-read', 'clipboard-write'],
  ...['compute-pressure', 'cross-origin-isolated', 'deferred-fetch', 'deferred-fetch-minimal'],
  ...[
    'digital-credentials-get',
    'display-capture',
    'encrypted-media',
    'fullscreen',
    'gamepad',
    'geolocation',
  ],
  ...['gyroscope', 'hid', 'identity-credentials-get', 'idle-detection'],
  ...['join-ad-interest-group', 'keyboard-map', 'local-fonts'],
  ...['local-network-access', 'magnetometer', 'microphone', 'midi', 'otp-credentials', 'payment'],
  ...['picture-in-picture', 'private-aggregation', 'private-state-token-issuance'],
  ...['private-state-token-redemption', 'publickey-credentials-create', 'publickey-credentials-get'],
  ...['run-ad-auction', 'screen-wake-lock', 'serial', 'shared-storage'],
  ...['storage-access', 'summarizer', 'translator', 'unload', 'usb', 'web-share', 'window-management'],
  'xr-spatial-tracking',
]

function permissionsPolicy(permissions: readonly string[], unknown: ReadonlySet<string>): string {
  const sound = permissions.includes('browser.audio')
  return FEATURES.filter((name) => !unknown.has(name))
    .map((name) => `${name}=${name === 'autoplay' && sound ? '*' : '()'}`)
    .join(', ')
}

/** Loopback has several names for one machine. */
function spellings(origins: readonly string[]): readonly string[] {
  const all = origins.flatMap((origin) => {
    const url = new URL(origin)
    if (url.hostname !== 'localhost' && url.hostname !== '127.0.0.1') return [origin]
    return ['localhost', '127.0.0.1'].map((name) => origin.replace(url.hostname, name))
  })
  return [...new Set(all)]
}
