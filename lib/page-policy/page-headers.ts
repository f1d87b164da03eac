import { randomBytes } from 'node:crypto'
import { isLoopback } from '../domain/dev-chain.ts'
import { contentPolicy, type PolicySettings } from './content-policy.ts'

/** A year, which is what browsers keep at most for a name they were told nothing else of. */
const HTTPS_ONLY = 'max-age=31536000'

/** What neither our pages nor the Worlds in them have a use for. */
const REFUSED = [
  ...['accelerometer', 'browsing-topics', 'camera', 'display-capture', 'encrypted-media'],
  ...[
    'geolocation',
    'gyroscope',
    'hid',
    'idle-detection',
    'local-fonts',
    'magnetometer',
    'microphone',
    'midi',
  ],
  ...['payment', 'picture-in-picture', 'publickey-credentials-create', 'publickey-credentials-get'],
  ...['screen-wake-lock', 'serial', 'storage-access', 'usb', 'window-management', 'xr-spatial-tracking'],
]

/** Pictures that pages elsewhere may show; the page of a run offers the lines for it. */
const EMBEDDED = /^\/run\/[^/]+\/image$/

/** Headers of one answer that is, or belongs to, a page of ours. */
export type PageHeaders = Readonly<Record<string, string>> & { readonly 'Content-Security-Policy': string }

/**
 * @returns Takes the path of a request and gives the headers of its answer; the nonce in the policy is another one
 *   every time.
 */
export function pageHeaders(settings: PolicySettings): (path: string) => PageHeaders {
  const policy = contentPolicy(settings)
  const origin = new URL(settings.siteOrigin)
  const secure = origin.protocol === 'https:'
  const always = {
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': REFUSED.map((name) => `${name}=()`).join(', '),
    // Browsers complain of it where they do not heed it.
    ...(secure || isLoopback(origin.hostname) ? { 'Cross-Origin-Opener-Policy': 'same-origin' } : {}),
    ...(secure ? { 'Strict-Transport-Security': HTTPS_ONLY } : {}),
  }
  return (path) => ({
    ...always,
    'Cross-Origin-Resource-Policy': EMBEDDED.test(path) ? 'cross-origin' : 'same-origin',
    'Content-Security-Policy': policy(path, randomBytes(18).toString('base64url')),
  })
}
