import { type PublishedEvent, readPublishedEvent } from '#lib/chain/published-event.ts'
import { type AuthorMetadata, parseAuthorMetadata } from '#lib/protocol/author-metadata.ts'
import { MAX_NAME_LENGTH } from '#lib/protocol/names.ts'
import type { Header, RegistryLog } from './chain-source.ts'
import { EMPTY_METADATA, findMetadata } from './find-metadata.ts'
import { type Outcome, type VerifyContext, verifyPublications } from './verify-publications.ts'

/** A publication event with all data that is read from the node. */
export interface Occurrence {
  readonly log: RegistryLog
  readonly event: PublishedEvent
  readonly outcome: Outcome
  /** Author metadata; undefined when there is none, or it is not in the calldata. */
  readonly metadata: Buffer | undefined
  /** Words of the author in the metadata, where it has their format. */
  readonly words: AuthorMetadata | undefined
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
/** Calldata with more hex digits (1 MiB) is not searched for metadata. */
const MAX_CALLDATA_DIGITS = 2 * 1024 * 1024

type DecodedLog = Pick<Occurrence, 'log' | 'event'>

/**
 * Decodes and verifies logs before the transaction of the batch is opened, in time linear in the answers of the node.
 *
 * @param last Block up to which the logs go.
 * @returns undefined when the node's chain no longer contains that block.
 */
export async function readOccurrences(
  ctx: VerifyContext,
  logs: readonly RegistryLog[],
  last: Pick<Header, 'number' | 'hash'>,
): Promise<Occurrence[] | undefined> {
  const decodedLogs: DecodedLog[] = []
  for (const log of logs) {
    const event = readPublishedEvent(log)
    if (event && NAME.test(event.name) && event.name.length <= MAX_NAME_LENGTH)
      decodedLogs.push({ log, event })
    await ctx.pause()
  }
  const outcomes = await verifyPublications(
    ctx,
    decodedLogs.map(({ event }) => event),
    last,
  )
  if (outcomes === undefined) return undefined
  const metadata = await readMetadata(ctx, decodedLogs)
  const occurrences: Occurrence[] = []
  for (const [i, each] of decodedLogs.entries()) {
    const bytes = metadata.get(each.event)
    const words = bytes && parseAuthorMetadata(bytes)
    occurrences.push({ ...each, outcome: outcomes[i] as Outcome, metadata: bytes, words })
    await ctx.pause()
  }
  return occurrences
}

/** Fetches and scans each transaction with metadata once, whatever the number of its events. */
async function readMetadata(
  { source, pause }: VerifyContext,
  decodedLogs: readonly DecodedLog[],
): Promise<ReadonlyMap<PublishedEvent, Buffer>> {
  const metadata = new Map<PublishedEvent, Buffer>()
  const transactions = new Map<
    string,
    { readonly log: DecodedLog['log']; readonly events: PublishedEvent[] }
  >()
  for (const { log, event } of decodedLogs) {
    if (event.metadataHash === EMPTY_METADATA) continue
    const transaction = transactions.get(log.txHash)
    if (transaction) transaction.events.push(event)
    else transactions.set(log.txHash, { log, events: [event] })
  }
  const queue = [...transactions.values()]
  let next = 0
  for await (const inputs of source.inputs(queue.map(({ log }) => log))) {
    for (const input of inputs) {
      const events = queue[next++]?.events ?? []
      if (input === undefined || input.length > MAX_CALLDATA_DIGITS) continue
      const there = await findMetadata(Buffer.from(input.slice(2), 'hex'), events, pause)
      for (const [event, words] of there) metadata.set(event, words)
      await pause()
    }
  }
  return metadata
}
