import { decodeEventLog, type Log, toEventSelector } from 'viem'
import { registryAbi } from '#lib/protocol/abi.ts'
import type { Address, EntityKind, Hash, Hex } from '#lib/protocol/entity.ts'
import { kindOfCode } from './publication-calldata.ts'

/** Decoded `Published` event of the registry. */
export interface PublishedEvent {
  readonly kind: EntityKind
  readonly name: string
  readonly owner: Address
  readonly address: Address
  readonly contentHash: Hash
  readonly metadataHash: Hash
  readonly nonce: bigint
}

const published = registryAbi.find((item) => item.type === 'event' && item.name === 'Published')
if (published?.type !== 'event') throw new Error('the registry ABI has no event Published')

/** First topic of the registry's one event. */
export const PUBLISHED_TOPIC: Hash = toEventSelector(published)

/** @returns undefined when the log is not a publication. */
export function readPublishedEvent(log: {
  readonly topics: readonly string[]
  readonly data: string
}): PublishedEvent | undefined {
  try {
    const { args } = decodeEventLog({
      abi: registryAbi,
      eventName: 'Published',
      topics: log.topics as [Hex, ...Hex[]],
      data: log.data as Hex,
      strict: true,
    })
    const kind = kindOfCode(args.kind)
    if (kind === undefined) return undefined
    return {
      kind,
      name: args.name,
      owner: args.owner.toLowerCase() as Address,
      address: args.entity.toLowerCase() as Address,
      contentHash: args.contentHash,
      metadataHash: args.metadataHash,
      nonce: args.nonce,
    }
  } catch {
    return undefined
  }
}

/** Returns the publications of this registry among the logs of a receipt. */
export function publishedEvents(registry: Address, logs: readonly Log[]): PublishedEvent[] {
  return logs
    .filter((log) => log.address.toLowerCase() === registry)
    .map(readPublishedEvent)
    .filter((event) => event !== undefined)
}
