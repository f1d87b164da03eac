import { createHash } from 'node:crypto'

/** SHA-256 of the UTF-8 bytes, in lower-case hex. */
export function hashText(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}
