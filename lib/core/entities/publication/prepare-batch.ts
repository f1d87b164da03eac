import { decodeFunctionResult, size } from 'viem'
import { encodePublish, encodePublishBatch, NO_METADATA } from '#lib/chain/publication-calldata.ts'
import { batchTypedDataJson } from '#lib/chain/publication-typed-data.ts'
import type { Context } from '#lib/core/context/context.ts'
import { requireCaller } from '#lib/core/identity/authorise.ts'
import { registryAbi } from '#lib/protocol/abi.ts'
import type { Artifact } from '#lib/protocol/artifact.ts'
import type { Address, EntityKind, Hash, Hex } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { encodePayload } from '#lib/protocol/payload.ts'
import { suggestFees, suggestTip } from './chain-state.ts'
import { estimatePublishGas, publishCalldata } from './estimate-publish-gas.ts'
import { checkDependencies, ownDefinition, publicationChain } from './preconditions.ts'
import {
  DEADLINE_SECONDS,
  notRebuilt,
  type PreparedPublication,
  retryOnNonceChange,
  secondsNow,
  tryOut,
} from './prepare.ts'
import { findPublication, storePreparation } from './records.ts'
import { type RegistryState, readRegistryState } from './registry-state.ts'
import { isSponsored } from './sponsor-budget.ts'

/** Nodes accept transactions of up to 128 KiB. */
const MAX_CALLDATA_BYTES = 110_000
/** Below the gas of a transaction that every public chain accepts (EIP-7825: 16,777,216), with room for headroom. */
const MAX_BATCH_GAS = 12_000_000n

export interface BatchItem {
  readonly kind: EntityKind
  readonly name: string
  /** Author metadata; see `author-metadata.ts`. */
  readonly metadata?: Hex
}

/** One transaction that publishes several entities of its sender, all or none. */
export type PreparedBatch = Pick<
  PreparedPublication,
  'from' | 'to' | 'chainId' | 'data' | 'gas' | 'deadline'
> & {
  /** The owner's publication nonce of the first; the others count on from it. */
  readonly publicationNonce: number
  /**
   * Typed data (EIP-712, as JSON) that the owner signs where the operator pays: `publishSponsored` takes the signature.
   * Undefined where the owner pays.
   */
  readonly typedData: string | undefined
  /** Entities that it publishes, in order: the first ones of the request, as many as fit. */
  readonly items: readonly {
    readonly kind: EntityKind
    readonly name: string
    readonly contentHash: Hash
    readonly address: Address
  }[]
}

/**
 * Prepares several of the caller's definitions for publication in one transaction of the caller, in the order given:
 * each may use what stands before it. Stores a preparation of each, which `confirm` needs.
 *
 * @throws Failure with the code of the first check that fails: as `prepare`, and 'registry_conflict' when one of the
 *   names is registered already.
 */
export async function prepareBatch(ctx: Context, items: readonly BatchItem[]): Promise<PreparedBatch> {
  const caller = requireCaller(ctx)
  const all: Batched[] = []
  for (const { kind, name, metadata = NO_METADATA } of items) {
    const { artifact } = await ownDefinition(ctx, kind, name, caller)
    if (artifact === undefined) throw notRebuilt(kind, name)
    const calldata = publishCalldata(artifact, caller, metadata)
    const gas = estimatePublishGas(artifact, calldata, all.length === 0)
    all.push({ artifact, metadata, bytes: size(calldata), gas })
  }
  const chain = await publicationChain(ctx)
  const batch = whatFits(all)
  const artifacts = batch.map(({ artifact }) => artifact)
  const [state, tip] = await Promise.all([
    readRegistryState(chain, caller, artifacts),
    suggestTip(chain.public),
  ])
  checkNames(state.entries, artifacts)

  return retryOnNonceChange(chain, caller, state, async ({ head, nonce }) => {
    const deadline = secondsNow(ctx, head) + DEADLINE_SECONDS
    const publications = batch.map(({ artifact, metadata }, index) => ({
      kind: artifact.kind,
      name: artifact.name,
      owner: caller,
      contentHash: artifact.contentHash,
      nonce: nonce + BigInt(index),
      deadline: BigInt(deadline),
      payload: encodePayload(artifact),
      metadata,
    }))
    const data = encodePublishBatch(publications)
    const [answer, gas] = await tryOut(chain, head, caller, data)
    const addresses = decodeFunctionResult({
      abi: registryAbi,
      functionName: 'publishBatch',
      data: answer,
    }).map((address) => address.toLowerCase() as Address)
    for (const [index, publication] of publications.entries()) {
      const { kind, name, contentHash } = publication
      const key = { kind, name, owner: caller, contentHash }
      const address = addresses[index]!
      await storePreparation(
        ctx,
        {
          ...key,
          address,
          calldata: encodePublish(publication),
          gas: (batch[index]!.gas * 5n) / 4n,
          publicationNonce: Number(publication.nonce),
          deadline,
        },
        await findPublication(ctx, key),
      )
    }
    const { maxFeePerGas } = await suggestFees(chain.public, head, tip)
    const target = { registry: chain.registry, chainId: chain.chainId }
    const paid = await isSponsored(ctx, caller, gas * maxFeePerGas)
    return {
      from: caller,
      typedData: paid ? batchTypedDataJson(publications, target) : undefined,
      to: chain.registry,
      chainId: chain.chainId,
      data,
      gas,
      deadline,
      publicationNonce: Number(nonce),
      items: publications.map(({ kind, name, contentHash }, index) => ({
        kind,
        name,
        contentHash,
        address: addresses[index]!,
      })),
    }
  })
}

interface Batched {
  readonly artifact: Artifact
  readonly metadata: Hex
  /** Calldata and estimated gas of publishing it alone. */
  readonly bytes: number
  readonly gas: bigint
}

/** The first ones, as many as one transaction takes; at least one. */
function whatFits(all: readonly Batched[]): readonly Batched[] {
  let bytes = 0
  let gas = 0n
  const end = all.findIndex((each, index) => {
    bytes += each.bytes
    gas += each.gas
    return index > 0 && (bytes > MAX_CALLDATA_BYTES || gas > MAX_BATCH_GAS)
  })
  return end === -1 ? all : all.slice(0, end)
}

/** Requires that every name is free and that every dependency is registered, or stands before what uses it. */
function checkNames(entries: RegistryState['entries'], batch: readonly Artifact[]): void {
  const conflict = batch.find(({ kind, name }) => entries.get(`${kind}/${name}`) !== undefined)
  if (conflict !== undefined) {
    throw new Failure('registry_conflict', `The registry holds ${conflict.kind} ${conflict.name} already`)
  }
  const before = new Map<string, Hash>()
  for (const artifact of batch) {
    checkDependencies(entries, artifact, before)
    before.set(`${artifact.kind}/${artifact.name}`, artifact.contentHash)
  }
}
