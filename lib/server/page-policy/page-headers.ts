import { randomBytes } from 'node:crypto'
import { isLoopback } from '../../protocol/dev-chain.ts'
import { contentPolicy, type PolicySettings } from './site-csp.ts'

/** One year. */
const HTTPS_ONLY = 'max-age=31536000'

/** Features that neither our pages nor the Worlds in them use. */
const REFUSED = [
  ...['accelerometer', 'browsing-topics', 'camera', 'display-capture', 'encrypted-media'],
  ...['geolocation', 'gyroscope', 'hid', 'idle-detection', 'local-fonts', 'magnetometer', 'microphone'],
  ...['payment', 'picture-in-picture', 'publickey-credentials-create', 'publickey-credentials-get'],
  ...['screen-wake-lock', 'serial', 'storage-access', 'usb', 'window-management', 'xr-spatial-tracking'],
]

/** Pictures that other sites may embed. */
const EMBEDDED = /^\/run\/[^/]+\/image$/

/** Headers of a response that is, or belongs to, a page of the site. */
export type PageHeaders = Readonly<Record<string, string>> & { readonly 'Content-Security-Policy': string }

/**
 * @returns Maps the path of a request to the headers of its response, with a fresh nonce each time.
 */
export function pageHeaders(settings: PolicySettings): (path: string) => PageHeaders {
  const policy = contentPolicy(settings)
  const origin = new URL(settings.siteOrigin)
  const secure = origin.protocol === 'https:'
  const always = {
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    // The studio reaches MIDI devices; Worlds, whose origin is another one, do not.
    'Permissions-Policy': [...REFUSED.map((name) => `${name}=()`), 'midi=(self)'].join(', '),
    // Elsewhere browsers ignore it with a warning.
    ...(secure || isLoopback(origin.hostname) ? { 'Cross-Origin-Opener-Policy': 'same-origin' } : {}),
    ...(secure ? { 'Strict-Transport-Security': HTTPS_ONLY } : {}),
  }
  return (path) => ({
    ...always,
    'Cross-Origin-Resource-Policy': EMBEDDED.test(path) ? 'cross-origin' : 'same-origin',
    'Content-Security-Policy': policy(randomBytes(18).toString('base64url')),
  })
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
