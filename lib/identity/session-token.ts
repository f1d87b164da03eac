import { randomBytes, timingSafeEqual } from 'node:crypto'
import { hashText } from './hash-text.ts'

const TOKEN = /^([0-9a-f]{64})\.([0-9a-f]{64})$/

/** A session token taken apart: the selector finds the row, the secret proves it. */
export interface SessionToken {
  readonly selector: string
  readonly secretHash: string
}

/** A fresh token, with what may be stored of it. */
export function makeSessionToken(): SessionToken & { readonly token: string } {
  const selector = randomBytes(32).toString('hex')
  const secret = randomBytes(32).toString('hex')
  return { token: `${selector}.${secret}`, selector, secretHash: hashText(secret) }
}

/** @returns undefined for text that is no session token. */
export function parseSessionToken(text: string): SessionToken | undefined {
  const [, selector, secret] = TOKEN.exec(text) ?? []
  return selector === undefined || secret === undefined
    ? undefined
    : { selector, secretHash: hashText(secret) }
}

/** Compares in constant time. */
export function sameHash(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'))
}
