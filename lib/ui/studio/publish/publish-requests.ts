import type { ChainClient } from '../../../client/chain.ts'
import type { Address, EntityKind, Hash, Hex } from '../../../domain/entity.ts'
import { NoAnswer, Refusal } from '../../wallet/session/requests.ts'
import { codeRequest, connectorRequest } from '../document/create-request.ts'
import type { StudioDocument } from '../document/types.ts'
import type { PlanItem } from './plan.ts'
import type { Confirmation, Prepared, Published, PublishRequests } from './publisher.ts'

interface Answer {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

/**
 * What publishing asks of the chain API.
 *
 * @param document As it was when the plan was made.
 * @param guard Runs a request that needs the second signature.
 */
export function createPublishRequests(
  chain: ChainClient,
  document: StudioDocument,
  guard: (action: () => Promise<Answer>) => Promise<Answer>,
): PublishRequests {
  const ask = async (action: () => Promise<Answer>): Promise<{ status: number; body: unknown }> => {
    const { data, error, response } = await guard(() => reached(action))
    if (!response.ok) throw new Refusal(response.status, messageOf(error))
    return { status: response.status, body: data ?? error }
  }
  const path = ({ kind }: PlanItem) => ({ params: { path: { kind } } })
  const named = ({ name, contentHash }: PlanItem) => ({ name, content_hash: contentHash })

  return {
    async save(item) {
      const entry = document.entries.find(({ kind, name }) => kind === item.kind && name === item.name)
      if (entry === undefined) return
      if (entry.kind === 'connector') {
        const body = connectorRequest(entry)
        if (body === undefined) throw new Refusal(400, 'A number of it is not finished')
        await ask(() => chain.POST('/connector', { body }))
      } else if (entry.kind === 'transformation') {
        await ask(() => chain.POST('/transformation', { body: codeRequest(entry) }))
      } else await ask(() => chain.POST('/condition', { body: codeRequest(entry) }))
    },
    async prepare(item, relay) {
      const body = { name: item.name, relay }
      const answer = await ask(() => chain.POST('/publish/{kind}/prepare', { ...path(item), body }))
      return readPrepared(answer.body as PreparedWire | PublishedWire)
    },
    async relay(item, rawTransaction) {
      const body = { ...named(item), raw_tx: rawTransaction }
      const answer = await ask(() => chain.POST('/publish/{kind}/send', { ...path(item), body }))
      return (answer.body as { tx_hash: Hash }).tx_hash
    },
    async confirm(item, txHash): Promise<Confirmation> {
      const body = { ...named(item), tx_hash: txHash }
      try {
        const answer = await ask(() => chain.POST('/publish/{kind}', { ...path(item), body }))
        if (answer.status === 202) return { status: 'pending' }
        const mined = answer.body as { address: Address; block_number: number; tx_hash: Hash }
        return { status: 'mined', address: mined.address, block: mined.block_number, txHash: mined.tx_hash }
      } catch (error) {
        // The transaction is mined and did something else, or nothing.
        if (error instanceof Refusal && error.status === 400)
          return { status: 'reverted', trouble: error.message }
        throw error
      }
    },
  }
}

interface PreparedWire {
  readonly status: 'prepared'
  readonly content_hash: Hash
  readonly publication_nonce: number
  readonly deadline: number
  readonly transaction: Prepared['transaction']
  readonly signing?: { readonly nonce: Hex; readonly maxFeePerGas: Hex; readonly maxPriorityFeePerGas: Hex }
}

interface PublishedWire {
  readonly status: 'published'
  readonly kind: EntityKind
  readonly content_hash: Hash
  readonly address: Address
}

function readPrepared(wire: PreparedWire | PublishedWire): Prepared | Published {
  if (wire.status === 'published') {
    return { status: 'published', contentHash: wire.content_hash, address: wire.address }
  }
  return {
    status: 'prepared',
    contentHash: wire.content_hash,
    publicationNonce: wire.publication_nonce,
    deadline: wire.deadline,
    transaction: wire.transaction,
    signing: wire.signing,
  }
}

async function reached(action: () => Promise<Answer>): Promise<Answer> {
  try {
    return await action()
  } catch (cause) {
    throw new NoAnswer('The site does not answer', { cause })
  }
}

function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return ''
  return typeof error.message === 'string' ? error.message : ''
}
