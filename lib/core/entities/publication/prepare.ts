import { decodeFunctionResult } from 'viem'
import type { VerifiedChain } from '#lib/chain/access.ts'
import { evmCall } from '#lib/chain/evm-call.ts'
import { decodePublish, encodePublish, NO_METADATA } from '#lib/chain/publication-calldata.ts'
import type { RegistryEntry } from '#lib/chain/registry-reads.ts'
import type { Context } from '#lib/core/context/context.ts'
import { requireCaller } from '#lib/core/identity/authorise.ts'
import { registryAbi } from '#lib/protocol/abi.ts'
import type { Artifact } from '#lib/protocol/artifact.ts'
import { chainFacts } from '#lib/protocol/chains.ts'
import type { Address, EntityKind, Hash, Hex } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { encodePayload } from '#lib/protocol/payload.ts'
import {
  accountNonces,
  type ChainHead,
  estimateGas,
  type Fees,
  type RevertReason,
  revertReason,
  suggestFees,
  suggestTip,
} from './chain-state.ts'
import { checkDependencies, ownDefinition, publicationChain } from './preconditions.ts'
import { findPublication, type PublicationRecord, storePreparation } from './records.ts'
import { type OwnerState, readOwnerState, readRegistryState } from './registry-state.ts'

export interface PrepareInput {
  readonly kind: EntityKind
  readonly name: string
  /** Whether `send` is to relay the signed transaction. */
  readonly relay: boolean
  /** Author metadata, see `author-metadata.ts`; `as_prepared` is that of the stored preparation, if there is one. */
  readonly metadata?: Hex | 'as_prepared'
}

export interface AlreadyPublished {
  readonly status: 'published'
  readonly entry: RegistryEntry
}

export interface PreparedPublication {
  readonly status: 'prepared'
  readonly from: Address
  readonly to: Address
  readonly chainId: number
  readonly data: Hex
  readonly gas: bigint
  /** Address that the entity will have. */
  readonly address: Address
  readonly contentHash: Hash
  readonly publicationNonce: number
  /** Unix seconds. */
  readonly deadline: number
  readonly signing: (Fees & { readonly nonce: bigint }) | undefined
}

/** Lifetime of a prepared publication in seconds. */
export const DEADLINE_SECONDS = 3600
/** A preparation with fewer seconds left is renewed. */
const RENEW_SECONDS = 900

/**
 * Prepares the caller's definition of a name for publication: checks its preconditions, stores the preparation, and
 * returns the transaction to sign. Idempotent while nothing changed.
 *
 * @throws Failure with the code of the first check that fails, in the order below.
 */
export async function prepare(
  ctx: Context,
  input: PrepareInput,
): Promise<PreparedPublication | AlreadyPublished> {
  const caller = requireCaller(ctx)
  const { kind, name, metadata = NO_METADATA } = input
  const { contentHash, artifact } = await ownDefinition(ctx, kind, name, caller)

  const chain = await publicationChain(ctx)
  const [state, relayed] = await Promise.all([
    readRegistryState(chain, caller, artifact === undefined ? [] : [artifact], [{ kind, name }]),
    input.relay ? Promise.all([accountNonces(chain.public, caller), suggestTip(chain.public)]) : undefined,
  ])
  const entry = state.entries.get(`${kind}/${name}`)
  if (entry) return alreadyRegistered(entry, { kind, name, caller, contentHash })
  if (artifact === undefined) throw notRebuilt(kind, name)
  checkDependencies(state.entries, artifact)

  const { head, record } = await retryOnNonceChange(chain, caller, state, async ({ head, nonce }) => ({
    head,
    record: await preparation(ctx, chain, { head, nonce }, caller, artifact, metadata),
  }))
  return {
    status: 'prepared',
    from: caller,
    to: chain.registry,
    chainId: chain.chainId,
    data: record.calldata,
    gas: record.gas,
    address: record.address,
    contentHash,
    publicationNonce: record.publicationNonce,
    deadline: record.deadline,
    signing: relayed && (await signingFields(chain, head, ...relayed)),
  }
}

export function notRebuilt(kind: EntityKind, name: string): Failure {
  return new Failure('invalid_request', `The ${kind} ${name} cannot be rebuilt: create it again`)
}

function alreadyRegistered(
  entry: RegistryEntry,
  request: { kind: EntityKind; name: string; caller: Address; contentHash: Hash },
): AlreadyPublished {
  if (entry.owner === request.caller && entry.contentHash === request.contentHash) {
    return { status: 'published', entry }
  }
  const whose =
    entry.owner === request.caller ? 'another definition of yours' : `a definition of ${entry.owner}`
  throw new Failure(
    'registry_conflict',
    `The registry holds ${whose} under the ${request.kind} name ${request.name}`,
  )
}

/** The owner's publication nonce changed between two reads of the chain. */
class NonceMoved extends Error {
  /** Thrown when the attempts are used up. */
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}
const MAX_ATTEMPTS = 3

/** Repeats work on the state of an owner, read again each time, while the owner's nonce changes in between. */
export async function retryOnNonceChange<Result>(
  chain: VerifiedChain,
  owner: Address,
  first: OwnerState,
  work: (state: OwnerState) => Promise<Result>,
): Promise<Result> {
  let state = first
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(state)
    } catch (error) {
      if (!(error instanceof NonceMoved)) throw error
      if (attempt === MAX_ATTEMPTS) throw error.failure
      state = await readOwnerState(chain, owner)
    }
  }
}

/** The stored preparation while it is still valid, else a new one. */
async function preparation(
  ctx: Context,
  chain: VerifiedChain,
  { head, nonce }: OwnerState,
  owner: Address,
  artifact: Artifact,
  requestedMetadata: Hex | 'as_prepared',
): Promise<PublicationRecord> {
  const { kind, name, contentHash } = artifact
  const previous = await findPublication(ctx, { kind, name, owner, contentHash })
  const prepared = previous && decodePublish(previous.calldata)?.publication.metadata
  const metadata = requestedMetadata === 'as_prepared' ? (prepared ?? NO_METADATA) : requestedMetadata
  const now = secondsNow(ctx, head)
  const reusable =
    previous !== undefined &&
    BigInt(previous.publicationNonce) === nonce &&
    previous.deadline - now >= RENEW_SECONDS &&
    previous.deadline - now <= DEADLINE_SECONDS &&
    prepared === metadata
  if (reusable) {
    const address = publishedAddress(await dryRun(chain, owner, previous.calldata))
    if (address === previous.address) return previous
  }

  const deadline = now + DEADLINE_SECONDS
  const calldata = encodePublish({
    kind,
    name,
    owner,
    contentHash,
    nonce,
    deadline: BigInt(deadline),
    payload: encodePayload(artifact),
    metadata,
  })
  const [answer, gas] = await tryOut(chain, head, owner, calldata)
  const address = publishedAddress(answer)
  const fresh = {
    kind,
    name,
    owner,
    contentHash,
    address,
    calldata,
    gas,
    publicationNonce: Number(nonce),
    deadline,
  }
  return storePreparation(ctx, fresh, previous)
}

/** Unix seconds. Development chains may be ahead of the clock, and deadlines are checked on chain. */
export function secondsNow(ctx: Pick<Context, 'clock'>, head: ChainHead): number {
  return Math.max(Math.floor(ctx.clock().getTime() / 1000), Number(head.timestamp))
}

/** Runs a publication as `eth_call`. @returns what the registry answers. */
async function dryRun(chain: VerifiedChain, owner: Address, calldata: Hex): Promise<Hex> {
  const outcome = await evmCall(chain.public, { from: owner, to: chain.registry, data: calldata })
  if (!outcome.ok) throw wouldRevert(revertReason(outcome))
  return outcome.data
}

/** Runs a publication and estimates its gas, in one round trip. @returns what the registry answers, and the gas limit. */
export async function tryOut(
  chain: VerifiedChain,
  head: ChainHead,
  owner: Address,
  calldata: Hex,
): Promise<[Hex, bigint]> {
  const [answer, gas] = await Promise.allSettled([
    dryRun(chain, owner, calldata),
    gasWithHeadroom(chain, head, owner, calldata),
  ])
  // The error of the call comes first: it has the reason.
  if (answer.status === 'rejected') throw answer.reason
  if (gas.status === 'rejected') throw gas.reason
  return [answer.value, gas.value]
}

function publishedAddress(data: Hex): Address {
  return decodeFunctionResult({ abi: registryAbi, functionName: 'publish', data }).toLowerCase() as Address
}

function wouldRevert({ name, message }: RevertReason): Failure | NonceMoved {
  if (name.endsWith('AlreadyRegistered')) {
    return new Failure('registry_conflict', `The registry holds something else under the name: ${message}`)
  }
  const failure = new Failure('invalid_request', `The transaction would revert: ${message}`)
  return name === 'InvalidAccountNonce' ? new NonceMoved(failure) : failure
}

async function gasWithHeadroom(
  chain: VerifiedChain,
  head: ChainHead,
  from: Address,
  data: Hex,
): Promise<bigint> {
  const estimate = await estimateGas(chain, { from, to: chain.registry, data })
  if (!estimate.ok) throw wouldRevert(revertReason(estimate))
  const { maxTransactionGas } = chainFacts(chain.chainId)
  const limited = maxTransactionGas !== undefined && maxTransactionGas < head.gasLimit
  const most = limited ? maxTransactionGas : head.gasLimit
  if (estimate.gas > most) {
    const holder = limited ? 'a transaction of this chain may use' : 'a block of this chain holds'
    throw new Failure(
      'invalid_request',
      `The publication needs ${estimate.gas} gas, more than ${holder} (${most})`,
    )
  }
  const padded = (estimate.gas * 5n + 3n) / 4n
  return padded < most ? padded : most
}

async function signingFields(
  chain: VerifiedChain,
  head: ChainHead,
  nonces: { readonly pending: bigint },
  tip: bigint,
): Promise<Fees & { readonly nonce: bigint }> {
  return { ...(await suggestFees(chain.public, head, tip)), nonce: nonces.pending }
}
