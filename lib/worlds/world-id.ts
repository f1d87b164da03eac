import { randomBytes } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const LENGTH = 20

/** A fresh id: `wld_` and 100 random bits in base32, which says nothing of owner or content. */
export function newWorldId(): string {
  return `wld_${digits()}`
}

/** Like the id of a World, which it can never be; nobody finds it by trying. */
export function newPreviewId(): string {
  return `prv_${digits()}`
}

export function isPreviewId(id: string): boolean {
  return /^prv_[a-z2-7]{20}$/.test(id)
}

function digits(): string {
  return Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

/** Whether a text can be an id at all; what cannot may not even be text to the database. */
export function isWorldId(id: string): boolean {
  return /^[\w.-]{1,128}$/.test(id)
}
