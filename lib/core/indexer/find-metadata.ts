import { keccak256 } from 'viem'
import type { PublishedEvent } from '#lib/chain/published-event.ts'
import { MAX_METADATA_BYTES } from '#lib/protocol/author-metadata.ts'
import { type Hash, KIND_CODE } from '#lib/protocol/entity.ts'
import { MAX_NAME_LENGTH } from '#lib/protocol/names.ts'
import type { Pause } from './pause.ts'

/** Hash of empty metadata. */
export const EMPTY_METADATA: Hash = keccak256('0x')

/** Candidates hashed for one event at most: honest calldata has one. */
const MAX_ATTEMPTS = 4

const WORD = 32
/**
 * Head of `Publication` (`contracts/Types.sol`) in canonical encoding: kind, offset of name, owner, content hash,
 * nonce, deadline, offset of payload, offset of metadata; then name, payload and metadata in this order.
 */
const HEAD = 8 * WORD
/** The second word of every canonical head, by which heads are found. */
const NAME_OFFSET = Buffer.from(HEAD.toString(16).padStart(2 * WORD, '0'), 'hex')

/**
 * Finds the metadata of publications anywhere in the calldata of their transaction, because wallets and bundlers wrap
 * the registry's call. Linear in the calldata: a canonical head costs a fixed number of words, and metadata is hashed
 * only for heads that match an event.
 *
 * @param events of this one transaction.
 * @returns metadata by event; events without metadata are absent.
 */
export async function findMetadata(
  calldata: Buffer,
  events: readonly PublishedEvent[],
  pause: Pause,
): Promise<ReadonlyMap<PublishedEvent, Buffer>> {
  const metadataByEvent = new Map<PublishedEvent, Buffer>()
  const pending = new Map(events.map((event) => [event.contentHash, { event, attempts: 0 }]))
  let marker = calldata.indexOf(NAME_OFFSET, WORD)
  for (
    ;
    marker !== -1 && metadataByEvent.size < events.length;
    marker = calldata.indexOf(NAME_OFFSET, marker + 1)
  ) {
    const head = marker - WORD
    const entry = pending.get(hexWord(calldata, head + 3 * WORD))
    if (entry === undefined || metadataByEvent.has(entry.event) || entry.attempts >= MAX_ATTEMPTS) continue
    const metadata = metadataAt(calldata, head, entry.event)
    if (metadata === undefined) continue
    entry.attempts += 1
    // Copied, so that the calldata can be collected.
    if (keccak256(metadata) === entry.event.metadataHash)
      metadataByEvent.set(entry.event, Buffer.from(metadata))
    await pause()
  }
  return metadataByEvent
}

/** Metadata of a canonical publication that matches an event; undefined for anything else. */
function metadataAt(calldata: Buffer, head: number, event: PublishedEvent): Buffer | undefined {
  if (head + HEAD > calldata.length) return undefined
  if (smallWord(calldata, head) !== KIND_CODE[event.kind]) return undefined
  if (hexWord(calldata, head + 2 * WORD) !== `0x${event.owner.slice(2).padStart(2 * WORD, '0')}`)
    return undefined
  if (BigInt(hexWord(calldata, head + 4 * WORD)) !== event.nonce) return undefined
  const nameLength = smallWord(calldata, head + HEAD)
  if (nameLength === undefined || nameLength > MAX_NAME_LENGTH) return undefined
  const payload = HEAD + WORD + padded(nameLength)
  if (smallWord(calldata, head + 6 * WORD) !== payload) return undefined
  const payloadLength = smallWord(calldata, head + payload)
  if (payloadLength === undefined) return undefined
  const metadata = payload + WORD + padded(payloadLength)
  if (smallWord(calldata, head + 7 * WORD) !== metadata) return undefined
  const length = smallWord(calldata, head + metadata)
  if (length === undefined || length > MAX_METADATA_BYTES) return undefined
  const start = head + metadata + WORD
  return start + length <= calldata.length ? calldata.subarray(start, start + length) : undefined
}

function padded(length: number): number {
  return Math.ceil(length / WORD) * WORD
}

/** A word as a hash; an empty one beyond the end. */
function hexWord(bytes: Buffer, at: number): Hash {
  return `0x${bytes.toString('hex', at, at + WORD)}`
}

/** A word below 2^31; undefined for a larger one or beyond the end. */
function smallWord(bytes: Buffer, at: number): number | undefined {
  if (at + WORD > bytes.length) return undefined
  for (let i = at; i < at + WORD - 4; i++) if (bytes[i] !== 0) return undefined
  const value = bytes.readUInt32BE(at + WORD - 4)
  return value < 2 ** 31 ? value : undefined
}
