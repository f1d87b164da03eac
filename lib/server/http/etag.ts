import { hash } from 'node:crypto'

/**
 * A validator of a body. It is weak, because the compressed and the plain form of an answer share it (RFC 9110, 8.8.3.3).
 */
export function etagOf(body: string | Uint8Array): string {
  return `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`
}

/** The weak form of an ETag. */
export function weakEtag(etag: string): string {
  return etag.startsWith('W/') ? etag : `W/${etag}`
}

/**
 * Whether an `If-None-Match` names an ETag: a list, `*`, weak and strong ones compared alike (RFC 9110, 13.1.2).
 *
 * @param header As it was sent; absent when it was not.
 */
export function isNamed(header: string | null | undefined, etag: string): boolean {
  if (header === null || header === undefined) return false
  if (header.trim() === '*') return true
  const opaque = weakEtag(etag).slice(2)
  return [...header.matchAll(TAG)].some(([, tag]) => tag === opaque)
}

/** One of a list; a comma may stand inside its quotes. */
const TAG = /(?:^|,)\s*(?:W\/)?("[^"]*")\s*(?=,|$)/g
