import { bytesToHex, hexToBytes } from 'viem/utils'
import type { EntityKind, Hash, Hex } from './entity.ts'
import { ENTITY_KINDS } from './entity.ts'
import { isEntityName } from './names.ts'
import {
  canonicalPresentation,
  isRecord,
  MAX_TITLE_LENGTH,
  type Presentation,
  presentationProblem,
} from './presentation.ts'
import { HIDDEN, HIDDEN_IN_SOURCE, isLine } from './text-rules.ts'

/** A published entity that another one was made from. */
export interface MadeFrom {
  readonly contentHash: Hash
  readonly kind: EntityKind
  readonly name: string
}

/** The author's words about an entity, published with it. `docs/site/authors-words.md` describes the format. */
export interface AuthorMetadata {
  readonly description?: string
  /** SPDX licence expression. */
  readonly licence?: string
  /** Each entity once. Claims: what the chain does not hold under these names counts for nothing. */
  readonly madeFrom?: readonly MadeFrom[]
  /** Presentation of a connector. Nothing in it is trusted: what it names may not exist. */
  readonly present?: Presentation
  /** Solidity body of a transformation or condition. A claim until it compiles to the published code. */
  readonly source?: string
  /** Title of a connector, for people; names are for programs. */
  readonly title?: string
}

/** Most bytes of metadata that the registry takes. */
export const MAX_METADATA_BYTES = 8192
/** Most UTF-16 units of a description. */
export const MAX_DESCRIPTION_LENGTH = 2000
/** Most entities that one can be made from. */
export const MAX_MADE_FROM = 8

const LICENCE = /^[A-Za-z0-9(](?:[A-Za-z0-9.+() -]{0,62}[A-Za-z0-9+)])?$/
const HASH = /^0x[0-9a-f]{64}$/
/**
 * Canonical JSON (RFC 8785) of an author's words as UTF-8: keys in ascending order, no blanks, nothing empty. No words
 * are no bytes.
 *
 * @throws Error with a sentence for the author when the words break a rule of the format.
 */
export function encodeAuthorMetadata(words: AuthorMetadata): Hex {
  const problem = problemOf(words)
  if (problem !== undefined) throw new Error(problem)
  const { present } = words
  const wire = authorWordsWire({ ...words, ...(present && { present: canonicalPresentation(present) }) })
  if (Object.keys(wire).length === 0) return '0x'
  const bytes = new TextEncoder().encode(JSON.stringify(wire))
  if (bytes.length > MAX_METADATA_BYTES) {
    throw new Error(`The words take ${bytes.length} bytes, more than ${MAX_METADATA_BYTES}`)
  }
  return bytesToHex(bytes)
}

/** An author's words as they are spelled on chain and in the APIs, keys in ascending order, without what is empty. */
export function authorWordsWire({ description, licence, madeFrom, present, source, title }: AuthorMetadata) {
  return {
    ...(description && { description }),
    ...(licence && { licence }),
    ...(madeFrom?.length && {
      made_from: madeFrom.map(({ contentHash, kind, name }) => ({ content_hash: contentHash, kind, name })),
    }),
    ...(present && { present: { ...present } }),
    ...(source && { source }),
    ...(title && { title }),
  }
}

function problemOf({
  description = '',
  licence = '',
  madeFrom = [],
  present,
  source = '',
  title = '',
}: AuthorMetadata) {
  if (!description.isWellFormed() || !source.isWellFormed()) return 'The words are not well-formed Unicode'
  if (description.length > MAX_DESCRIPTION_LENGTH) {
    return `The description is longer than ${MAX_DESCRIPTION_LENGTH} characters`
  }
  if (HIDDEN.test(description)) return 'The description has characters that are invisible or reorder text'
  if (HIDDEN_IN_SOURCE.test(source)) return 'The source has characters that are invisible or reorder text'
  if (licence !== '' && !LICENCE.test(licence)) return 'The licence is not an SPDX identifier'
  if (madeFrom.length > MAX_MADE_FROM)
    return `It names more than ${MAX_MADE_FROM} entities that it is made from`
  const distinct = new Set(madeFrom.map(({ kind, name }) => `${kind}/${name}`))
  if (distinct.size < madeFrom.length) return 'It names an entity twice that it is made from'
  for (const { kind, name, contentHash } of madeFrom) {
    if (!ENTITY_KINDS.includes(kind) || !isEntityName(name) || !HASH.test(contentHash)) {
      return 'It names something as its origin that cannot be published'
    }
  }
  if (title !== '' && !isLine(title, MAX_TITLE_LENGTH)) {
    return `The title is not one line of visible text of at most ${MAX_TITLE_LENGTH} characters`
  }
  const misfit = present === undefined ? undefined : presentationProblem(present)
  return misfit && `The presentation breaks a rule of its format at ${misfit}`
}

/**
 * Reads metadata of a publication. The registry accepts any bytes, so only what `encodeAuthorMetadata` writes is accepted
 * here. Linear in the bytes.
 *
 * @returns undefined for no bytes and for all that is not in the format.
 */
export function parseAuthorMetadata(metadata: Hex | Uint8Array): AuthorMetadata | undefined {
  const length = typeof metadata === 'string' ? metadata.length / 2 - 1 : metadata.length
  if (length === 0 || length > MAX_METADATA_BYTES) return undefined
  try {
    const bytes = typeof metadata === 'string' ? hexToBytes(metadata) : metadata
    const parsed: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    )
    const words = isRecord(parsed) ? readWords(parsed) : undefined
    return words && encodeAuthorMetadata(words) === bytesToHex(bytes) ? words : undefined
  } catch {
    return undefined
  }
}

/** Fields of other types are left out: what they were written as is then not canonical. The encoder checks the others. */
function readWords(parsed: Readonly<Record<string, unknown>>): AuthorMetadata {
  const text = (key: string) => (typeof parsed[key] === 'string' ? { [key]: parsed[key] } : {})
  const origins = parsed.made_from
  const madeFrom = Array.isArray(origins) && origins.length <= MAX_MADE_FROM ? origins.map(readOrigin) : []
  return {
    ...text('description'),
    ...text('licence'),
    ...(madeFrom.length > 0 && { madeFrom }),
    ...(parsed.present !== undefined && { present: parsed.present as Presentation }),
    ...text('source'),
    ...text('title'),
  }
}

/** Fields are checked with the others. */
function readOrigin(value: unknown): MadeFrom {
  const { content_hash, kind, name } = isRecord(value) ? value : {}
  if (typeof content_hash !== 'string' || typeof kind !== 'string' || typeof name !== 'string') {
    throw new Error('not an origin')
  }
  return { contentHash: content_hash as Hash, kind: kind as EntityKind, name }
}
