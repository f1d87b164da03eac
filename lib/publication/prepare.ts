import { decodeFunctionResult } from 'viem'
import { registryAbi } from '../chain/abi.ts'
import type { ChainAccess } from '../chain/access.ts'
import { evmCall } from '../chain/evm-call.ts'
import { decodePublish, encodePublish, NO_METADATA } from '../chain/publication-calldata.ts'
import { type RegistryEntry, registryEntry, registryNonce } from '../chain/registry-reads.ts'
import type { Context } from '../context.ts'
import type { Artifact } from '../domain/artifact.ts'
import type { Address, EntityKind, Hash, Hex } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { encodePayload } from '../domain/payload.ts'
import { requireCaller } from '../identity/require-caller.ts'
import {
  accountNonces,
  type ChainHead,
  chainHead,
  estimateGas,
  type Fees,
  suggestFees,
} from './chain-state.ts'
import { checkDependencies } from './check-dependencies.ts'
import { ownDefinition } from './local-definition.ts'
import { requirePublication } from './require-publication.ts'
import { type Reason, revertReason } from './revert-reason.ts'
import { findPublication, keepPreparation, type PublicationRecord } from './storage.ts'

export interface PrepareInput {
  readonly kind: EntityKind
  readonly name: string
  /** Whether the client signs the whole transaction and `send` relays it. */
  readonly relay: boolean
  /** The author's words; see `author-metadata.ts`. */
  readonly metadata?: Hex
}

export interface Published {
  readonly status: 'published'
  readonly entry: RegistryEntry
}

export interface Prepared {
  readonly status: 'prepared'
  readonly from: Address
  readonly to: Address
  readonly chainId: number
  readonly data: Hex
  readonly gas: bigint
  /** Where the entity will live. */
  readonly address: Address
  readonly contentHash: Hash
  readonly publicationNonce: number
  /** Unix seconds. */
  readonly deadline: number
  readonly signing: (Fees & { readonly nonce: bigint }) | undefined
}

/** Seconds that the registry accepts a prepared publication. */
const DEADLINE_SECONDS = 3600
/** A preparation with less time left than this is renewed instead of handed out again. */
const RENEW_SECONDS = 900

/**
 * Prepares the caller's definition of a name for publication: checks all that can be known before, stores the
 * preparation durably, and returns the transaction to sign. Asking again gives the same answer while nothing changed.
 *
 * @throws Failure with the code of the first check that fails, in the order below.
 */
export const prepare = async (ctx: Context, input: PrepareInput): Promise<Prepared | Published> => {
  const chain = requirePublication(ctx)
  const caller = requireCaller(ctx)
  const { kind, name, metadata = NO_METADATA } = input
  const { contentHash, artifact } = await ownDefinition(ctx, kind, name, caller)

  await chain.verify()
  const entry = await registryEntry(chain, kind, name)
  if (entry) return alreadyRegistered(entry, { kind, name, caller, contentHash })
  if (artifact === undefined) {
    throw new Failure('invalid_request', `The ${kind} ${name} cannot be rebuilt: create it again`)
  }
  await checkDependencies(chain, artifact)

  const { head, record } = await steady(async () => {
    const head = await chainHead(chain.public)
    return { head, record: await preparation(ctx, chain, head, caller, artifact, metadata) }
  })
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
    signing: input.relay ? await signingFields(chain, head, caller) : undefined,
  }
}

const alreadyRegistered = (
  entry: RegistryEntry,
  wanted: { kind: EntityKind; name: string; caller: Address; contentHash: Hash },
): Published => {
  if (entry.owner === wanted.caller && entry.contentHash === wanted.contentHash) {
    return { status: 'published', entry }
  }
  const whose =
    entry.owner === wanted.caller ? 'another definition of yours' : `a definition of ${entry.owner}`
  throw new Failure(
    'registry_conflict',
    `The registry holds ${whose} under the ${wanted.kind} name ${wanted.name}`,
  )
}

/** The account's number of publications changed between two looks at the chain, by another one or a reorganisation. */
class NonceMoved extends Error {
  /** What to say when it goes on. */
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}
const ATTEMPTS = 3

/** Looks again while the chain moves under the looks. */
const steady = async <Result>(look: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await look()
    } catch (error) {
      if (!(error instanceof NonceMoved)) throw error
      if (attempt === ATTEMPTS) throw error.failure
    }
  }
}

/** The stored preparation while it is still good, else a new one. */
const preparation = async (
  ctx: Context,
  chain: ChainAccess,
  head: ChainHead,
  owner: Address,
  artifact: Artifact,
  metadata: Hex,
): Promise<PublicationRecord> => {
  const { kind, name, contentHash } = artifact
  const [nonce, previous] = await Promise.all([
    registryNonce(chain, owner),
    findPublication(ctx, { kind, name, owner, contentHash }),
  ])
  // A chain of a test or of a developer may be ahead of the clock, and it is the chain that judges the deadline.
  const now = Math.max(Math.floor(ctx.clock().getTime() / 1000), Number(head.timestamp))
  const reusable =
    previous !== undefined &&
    BigInt(previous.publicationNonce) === nonce &&
    previous.deadline - now >= RENEW_SECONDS &&
    previous.deadline - now <= DEADLINE_SECONDS &&
    decodePublish(previous.calldata)?.publication.metadata === metadata
  if (reusable) {
    const address = await dryRun(chain, owner, previous.calldata)
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
  const address = await dryRun(chain, owner, calldata)
  const gas = await gasWithHeadroom(chain, head, owner, calldata)
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
  return keepPreparation(ctx, fresh, previous)
}

/** Runs the publication without sending it; the registry returns where the entity will live. */
const dryRun = async (chain: ChainAccess, owner: Address, calldata: Hex): Promise<Address> => {
  const outcome = await evmCall(chain.public, { from: owner, to: chain.registry, data: calldata })
  if (!outcome.ok) throw wouldRevert(revertReason(outcome))
  const address = decodeFunctionResult({ abi: registryAbi, functionName: 'publish', data: outcome.data })
  return address.toLowerCase() as Address
}

const wouldRevert = ({ name, message }: Reason): Failure | NonceMoved => {
  if (name.endsWith('AlreadyRegistered')) {
    return new Failure('registry_conflict', `The registry holds something else under the name: ${message}`)
  }
  const failure = new Failure('invalid_request', `The transaction would revert: ${message}`)
  return name === 'InvalidAccountNonce' ? new NonceMoved(failure) : failure
}

const gasWithHeadroom = async (
  chain: ChainAccess,
  head: ChainHead,
  from: Address,
  data: Hex,
): Promise<bigint> => {
  const estimate = await estimateGas(chain, { from, to: chain.registry, data })
  if (!estimate.ok) throw wouldRevert(revertReason(estimate))
  if (estimate.gas > head.gasLimit) {
    throw new Failure(
      'invalid_request',
      `The publication needs ${estimate.gas} gas, more than a block of this chain holds (${head.gasLimit})`,
    )
  }
  const padded = (estimate.gas * 5n + 3n) / 4n
  return padded < head.gasLimit ? padded : head.gasLimit
}

const signingFields = async (
  chain: ChainAccess,
  head: ChainHead,
  owner: Address,
): Promise<Fees & { nonce: bigint }> => {
  const [fees, nonces] = await Promise.all([
    suggestFees(chain.public, head),
    accountNonces(chain.public, owner),
  ])
  return { ...fees, nonce: nonces.pending }
}
