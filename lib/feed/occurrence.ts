import { decodePublish, PUBLISH_SELECTOR, type Publication } from '../chain/publication-calldata.ts'
import { type PublishedEvent, readPublishedEvent } from '../chain/published-event.ts'
import type { Hex } from '../domain/entity.ts'
import { MAX_NAME_LENGTH } from '../domain/names.ts'
import { decodePayload } from '../domain/payload.ts'
import type { ChainSource, RegistryLog } from './chain-source.ts'

/** A publication as it happened, with everything about it that only the node can tell. */
export interface Occurrence {
  readonly log: RegistryLog
  readonly event: PublishedEvent
  /** Payloads in the transaction's calldata that claim to be this publication, none verified. */
  readonly payloads: readonly Hex[]
  /** Code at the entity's address; fetched only when no payload can be it. */
  readonly code: Hex | undefined
}

/** A calldata may hold the selector by chance or by malice; a transaction that publishes this much is not ours. */
const MAX_CANDIDATES = 256
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Decodes logs and fetches what explains them, before any transaction of the database is open. */
export const readOccurrences = async (
  source: ChainSource,
  logs: readonly RegistryLog[],
): Promise<Occurrence[]> => {
  const decoded = logs.flatMap((log) => {
    const event = readPublishedEvent(log)
    return event && NAME.test(event.name) && event.name.length <= MAX_NAME_LENGTH ? [{ log, event }] : []
  })
  const inputs = await source.inputs([...new Set(decoded.map(({ log }) => log.txHash))])
  return Promise.all(
    decoded.map(async ({ log, event }) => {
      const input = inputs.get(log.txHash)
      const payloads = input === undefined ? [] : claimedPayloads(input, event)
      const usable = payloads.some((payload) => isReadable(event, payload))
      const code = usable ? undefined : await source.code(event.address)
      return { log, event, payloads, code }
    }),
  )
}

const isReadable = ({ kind, name }: PublishedEvent, payload: Hex): boolean => {
  try {
    decodePayload(kind, name, payload)
    return true
  } catch {
    return false
  }
}

/**
 * Finds publications anywhere in calldata, because wallets of many kinds wrap the call of `publish` in calls of their
 * own. What is found is only a claim: the content hash decides.
 */
const claimedPayloads = (input: Hex, event: PublishedEvent): Hex[] => {
  const payloads: Hex[] = []
  let candidates = 0
  for (const at of selectorPositions(input)) {
    if (++candidates > MAX_CANDIDATES) break
    const publication = decodePublish(`0x${input.slice(at)}`)?.publication
    if (publication && claims(publication, event)) payloads.push(publication.payload)
  }
  return payloads
}

function* selectorPositions(input: Hex): Generator<number> {
  const selector = PUBLISH_SELECTOR.slice(2)
  for (let at = input.indexOf(selector, 2); at !== -1; at = input.indexOf(selector, at + 1)) {
    if (at % 2 === 0) yield at
  }
}

const claims = (publication: Publication, event: PublishedEvent): boolean =>
  publication.kind === event.kind &&
  publication.name === event.name &&
  publication.owner === event.owner &&
  publication.contentHash === event.contentHash
