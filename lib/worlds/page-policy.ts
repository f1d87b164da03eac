import { assetHosts, worldFrameSources } from './asset-policy.ts'

/**
 * Headers of our own pages. Their `frame-src` also holds for what a World does with its frame: it can lead it to no
 * other address.
 */
export function pageHeaders(config: Parameters<typeof assetHosts>[0]): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': [
      `frame-src ${worldFrameSources(assetHosts(config)).join(' ')}`,
      "frame-ancestors 'self'",
      "object-src 'none'",
      "base-uri 'self'",
      "form-action 'self'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
  }
}
