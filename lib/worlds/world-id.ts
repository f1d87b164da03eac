import { randomBytes } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const LENGTH = 20

/** A fresh id: `wld_` and 100 random bits in base32, which says nothing of owner or content. */
export function newWorldId(): string {
  const digits = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length])
  return `wld_${digits.join('')}`
}

/** Whether a text can be an id at all; what cannot may not even be text to the database. */
export function isWorldId(id: string): boolean {
  return /^[\w.-]{1,128}$/.test(id)
}
