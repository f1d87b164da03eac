import { ask, NoAnswer, Refusal } from '#lib/browser/requests.ts'
import type { ChainClient } from '#lib/client/chain.ts'
import type { SponsoredAnswer } from '#lib/features/sponsor/index.ts'
import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'
import { MAX_BATCH } from '#lib/protocol/payload.ts'
import type {
  BatchAnswer,
  BatchRequest,
  PlanAnswer,
  PlanRequest,
  PreparationRequest,
  PublicationsAnswer,
} from '#lib/server/operations/studio/publication.ts'
import { codeRequest, connectorRequest } from '#lib/studio/document/definition.ts'
import type { StudioDocument } from '#lib/studio/document/types.ts'
import type { PlanItem } from './plan.ts'

export type { PlanAnswer, PublicationsAnswer }

/** @throws Refusal, NoAnswer */
export async function askPlan(request: PlanRequest): Promise<PlanAnswer> {
  return (await ask('POST', '/studio/api/publication-plan', request)) as PlanAnswer
}

/** The account's publications recorded by the server. @throws Refusal, NoAnswer */
export async function askPublications(): Promise<PublicationsAnswer['publications']> {
  return ((await ask('GET', '/studio/api/publications')) as PublicationsAnswer).publications
}

/** Prepares a publication with words. @throws Refusal, NoAnswer */
export async function askPreparation(request: PreparationRequest): Promise<PreparationAnswer> {
  return (await ask('POST', '/studio/api/publication-preparation', request)) as PreparationAnswer
}

/** Prepares several publications as one transaction. @throws Refusal where they cannot be published together. */
export async function askBatch(items: BatchRequest['items']): Promise<PreparedBatch> {
  const answer = (await ask('POST', '/studio/api/publication-batch', {
    items: items.slice(0, MAX_BATCH),
  })) as BatchAnswer
  return {
    contentHashes: answer.items.map(({ content_hash }) => content_hash as Hash),
    transaction: answer.transaction as PreparedTransaction['transaction'],
    publicationNonce: answer.publication_nonce,
    deadline: answer.deadline,
    typedData: answer.typed_data ?? undefined,
  }
}

/** Has the site publish a signed batch and pay for it. @throws Refusal, NoAnswer */
export async function askSponsored(items: readonly ItemIdentity[], signature: Hex): Promise<Hash> {
  const answer = (await ask('POST', '/studio/api/sponsored-publication', {
    items: items.map(({ kind, name, contentHash }) => ({ kind, name, content_hash: contentHash })),
    signature,
  })) as SponsoredAnswer
  return answer.tx_hash as Hash
}

type ItemIdentity = Pick<PlanItem, 'kind' | 'name' | 'contentHash'>

/** Transaction that the server prepared to be signed, as both APIs spell it. */
export interface PreparedTransaction {
  readonly status: 'prepared'
  readonly content_hash: Hash
  readonly publication_nonce: number
  readonly deadline: number
  readonly transaction: {
    readonly from: Address
    readonly to: Address
    readonly data: Hex
    readonly gas: Hex
    readonly chainId: Hex
  }
  readonly signing?: { readonly nonce: Hex; readonly maxFeePerGas: Hex; readonly maxPriorityFeePerGas: Hex }
}

export type PreparationAnswer =
  | PreparedTransaction
  | { readonly status: 'published'; readonly content_hash: Hash; readonly address: Address }

/** One transaction that publishes the first items of a request, as many as fit, all or none. */
export interface PreparedBatch extends Pick<PreparedTransaction, 'deadline' | 'transaction'> {
  readonly publicationNonce: number
  /** Hashes of the items that it publishes, in their order. */
  readonly contentHashes: readonly Hash[]
  /** Typed data that the owner signs instead, as JSON, where the site pays. */
  readonly typedData: string | undefined
}

export type Confirmation =
  | { readonly status: 'pending' }
  | { readonly status: 'mined'; readonly address: Address; readonly block: number; readonly txHash: Hash }
  /** The transaction reverted: it may be sent again. */
  | { readonly status: 'reverted'; readonly trouble: string }

/** Requests of the publisher; all of them are idempotent. */
export interface PublishRequests {
  /** Saves the document's definition as the account's draft. */
  save(item: PlanItem): Promise<void>
  prepare: Preparations['one']
  /** @throws Refusal where they cannot be published together. */
  prepareBatch(items: readonly PlanItem[]): Promise<PreparedBatch>
  /** Submits a signed batch that the site pays for; idempotent. */
  sponsor(items: readonly ItemIdentity[], signature: Hex): Promise<Hash>
  /** Relays a signed transaction; idempotent. */
  relay(item: PlanItem, rawTransaction: Hex): Promise<Hash>
  confirm(item: PlanItem, txHash: Hash): Promise<Confirmation>
}

export interface Preparations {
  /** @param again Prepares what was prepared before, with the same words: a wallet may hold it. */
  readonly one: (item: PlanItem, relay: boolean, again?: 'again') => Promise<PreparationAnswer>
  readonly together: PublishRequests['prepareBatch']
  readonly sponsored: PublishRequests['sponsor']
}

interface Answer {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

/**
 * Requests of the publisher to the chain API.
 *
 * @param document The document that the plan was made of.
 * @param guard Runs a request that needs an account.
 * @param preparations Requests of the site that carry the author's words.
 */
export function createPublishRequests(
  chain: ChainClient,
  document: StudioDocument,
  guard: (action: () => Promise<Answer>) => Promise<Answer>,
  preparations: Preparations,
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
    prepare: preparations.one,
    prepareBatch: preparations.together,
    sponsor: preparations.sponsored,
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
        // The transaction is mined and did not publish the item.
        if (error instanceof Refusal && error.status === 400)
          return { status: 'reverted', trouble: error.message }
        throw error
      }
    },
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

/** Whether the site refuses to send the transaction. */
export function isRefusal(error: unknown): boolean {
  return isConflict(error) || (error instanceof Refusal && error.status === 400)
}

export function isConflict(error: unknown): boolean {
  return error instanceof Refusal && error.status === 409
}

/** Whether the site or its chain is temporarily unavailable. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof Refusal && error.status >= 500)
}
