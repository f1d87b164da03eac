import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares in constant time. */
export function isSameSecret(candidate: string | null, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(candidate ?? ''), digest(expected))
}
