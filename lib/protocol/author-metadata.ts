import { bytesToHex, hexToBytes } from 'viem/utils'
import type { Hex } from './entity.ts'

/** The author's words about an entity, published with it. */
export interface AuthorMetadata {
  readonly description?: string
  /** SPDX identifier or free text. */
  readonly licence?: string
  /** Solidity body of a transformation or condition. */
  readonly source?: string
}

/** Most bytes of metadata that the registry takes. */
export const MAX_METADATA_BYTES = 8192

/** Order of the keys in canonical JSON. */
const KEYS = ['description', 'licence', 'source'] as const

/**
 * Canonical JSON of an author's words as UTF-8: keys in a fixed order, no blanks, nothing empty. No words are no bytes.
 *
 * @throws Error when the text is not well-formed Unicode or longer than `MAX_METADATA_BYTES`.
 */
export function encodeAuthorMetadata(words: AuthorMetadata): Hex {
  const entries = KEYS.flatMap((key) => {
    const value = words[key]
    return value === undefined || value === '' ? [] : [[key, value] as const]
  })
  if (entries.length === 0) return '0x'
  if (!entries.every(([, value]) => value.isWellFormed())) throw new Error('not well-formed Unicode')
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)))
  if (bytes.length > MAX_METADATA_BYTES) {
    throw new Error(`${bytes.length} bytes of metadata, more than ${MAX_METADATA_BYTES}`)
  }
  return bytesToHex(bytes)
}

/**
 * Reads metadata of a publication. The registry accepts any bytes, so only canonical JSON is accepted here.
 *
 * @returns undefined for no bytes and for all others that `encodeAuthorMetadata` does not write.
 */
export function parseAuthorMetadata(metadata: Hex): AuthorMetadata | undefined {
  if (metadata === '0x' || metadata.length > 2 + 2 * MAX_METADATA_BYTES) return undefined
  try {
    const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(hexToBytes(metadata)))
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
    const words: Record<string, string> = {}
    for (const key of KEYS) {
      const value: unknown = Object.hasOwn(parsed, key) ? Reflect.get(parsed, key) : undefined
      if (typeof value === 'string') words[key] = value
    }
    return encodeAuthorMetadata(words) === metadata.toLowerCase() ? words : undefined
  } catch {
    return undefined
  }
}
