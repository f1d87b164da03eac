import { keccak256, type TransactionReceipt } from 'viem'
import type { VerifiedChain } from '#lib/chain/access.ts'
import { decodePublish } from '#lib/chain/publication-calldata.ts'
import { type PublishedEvent, publishedEvents } from '#lib/chain/published-event.ts'
import { registryEntry } from '#lib/chain/registry-reads.ts'
import type { Context } from '#lib/core/context/context.ts'
import { requireCaller } from '#lib/core/identity/authorise.ts'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { readReceipt } from './chain-state.ts'
import { publicationChain } from './preconditions.ts'
import { findPublication, type PublicationKey, recordStage, recordTransaction } from './records.ts'
import { recordCost } from './sponsor-budget.ts'

export interface ConfirmInput {
  readonly kind: EntityKind
  readonly name: string
  readonly contentHash: Hash
  readonly txHash: Hash
}

export interface Confirmed {
  readonly txHash: Hash
  readonly blockNumber: number
  readonly address: Address
  readonly owner: Address
  readonly contentHash: Hash
}

/**
 * Returns the result of a publication's transaction from its receipt; clients poll it as the status check. Reads are
 * served from indexed events, not from this result.
 *
 * @throws Failure('pending') while there is no receipt, Failure('invalid_request') when the transaction reverted or
 *   registered something else, Failure('registry_conflict') when the registry holds something else under the name.
 */
export async function confirm(ctx: Context, input: ConfirmInput): Promise<Confirmed> {
  const owner = requireCaller(ctx)
  const { kind, name, contentHash, txHash } = input
  const key: PublicationKey = { kind, name, owner, contentHash }

  const chain = await publicationChain(ctx)
  const receipt = await readReceipt(chain.public, txHash)
  if (receipt?.status === 'success') return confirmReceipt(ctx, chain, key, receipt)

  const entry = await registryEntry(chain, kind, name)
  if (entry !== undefined && (entry.contentHash !== contentHash || entry.owner !== owner)) {
    const failure = `The registry holds something else under the ${kind} name ${name}, published by ${entry.owner}`
    await recordStage(ctx, key, { stage: 'failed', txHash, failure })
    throw new Failure('registry_conflict', failure, { txHash })
  }
  if (receipt !== undefined) {
    await recordCost(ctx, receipt)
    await recordStage(ctx, key, { stage: 'failed', txHash, failure: 'reverted' })
    throw new Failure('invalid_request', 'The transaction was mined but reverted: prepare again', { txHash })
  }
  // A wallet that speeds up a transaction replaces it, so another transaction may have published.
  const replacement = entry && (await projectedTransaction(ctx, key))
  const replaced = replacement && (await readReceipt(chain.public, replacement))
  if (replaced?.status === 'success') return confirmReceipt(ctx, chain, key, replaced)
  await recordTransaction(ctx, key, txHash)
  throw new Failure('pending', 'The transaction is not mined yet: repeat this request', { txHash })
}

/** Checks the event of a successful transaction, and records the publication as mined. */
async function confirmReceipt(
  ctx: Context,
  chain: VerifiedChain,
  key: PublicationKey,
  receipt: TransactionReceipt,
): Promise<Confirmed> {
  const record = await findPublication(ctx, key)
  const prepared = record && decodePublish(record.calldata)?.publication
  const expectedMetadata = prepared && keccak256(prepared.metadata)
  const txHash = receipt.transactionHash
  const events = publishedEvents(chain.registry, receipt.logs)
  const { address, owner, contentHash } = matchingEvent(events, key, txHash, expectedMetadata)
  await recordStage(ctx, key, { stage: 'mined', txHash })
  await recordCost(ctx, receipt)
  return { txHash, blockNumber: Number(receipt.blockNumber), address, owner, contentHash }
}

/** Transaction in which the worker indexed this publication. */
async function projectedTransaction(ctx: Context, key: PublicationKey): Promise<Hash | undefined> {
  const [row] = await ctx.db.sql<{ tx_hash: Hash }[]>`
    select tx_hash from entities
    where kind = ${key.kind} and name = ${key.name} and owner = ${key.owner} and content_hash = ${key.contentHash}`
  return row?.tx_hash
}

/** Returns the event of the publication; exactly one of the transaction must match. */
function matchingEvent(
  events: readonly PublishedEvent[],
  key: PublicationKey,
  txHash: Hash,
  expectedMetadata: Hash | undefined,
): PublishedEvent {
  const refuse = (message: string): never => {
    throw new Failure('invalid_request', message, { txHash })
  }
  if (events.length === 0) refuse('The transaction registered nothing in the registry of this server')
  const matches = events.filter(({ kind, name }) => kind === key.kind && name === key.name)
  const [event] = matches
  if (event === undefined || matches.length > 1) return refuse('The transaction registered something else')
  if (event.contentHash !== key.contentHash) refuse('The transaction registered another content hash')
  if (event.owner !== key.owner) refuse(`The transaction registered the name for ${event.owner}`)
  if (expectedMetadata !== undefined && event.metadataHash !== expectedMetadata) {
    refuse('The transaction registered another metadata hash')
  }
  return event
}
