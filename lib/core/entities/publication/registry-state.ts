import type { VerifiedChain } from '#lib/chain/access.ts'
import { type RegistryEntry, registryEntries, registryNonce } from '#lib/chain/registry-reads.ts'
import type { Artifact } from '#lib/protocol/artifact.ts'
import type { Address, EntityKind } from '#lib/protocol/entity.ts'
import { type ChainHead, chainHead } from './chain-state.ts'

/** State of the chain that the preparation of a publication depends on. */
export interface RegistryState extends OwnerState {
  /** Registry entries of what is published and of its dependencies, by `<kind>/<name>`; undefined for free names. */
  readonly entries: ReadonlyMap<string, RegistryEntry | undefined>
}

/** Part of the state that a later attempt reads again. */
export interface OwnerState {
  readonly head: ChainHead
  /** The owner's next publication nonce. */
  readonly nonce: bigint
}

/** Reads the state in one round trip to the node. @throws Failure('chain_unavailable') */
export async function readRegistryState(
  chain: VerifiedChain,
  owner: Address,
  artifacts: readonly Artifact[],
  others: readonly { readonly kind: EntityKind; readonly name: string }[] = [],
): Promise<RegistryState> {
  const names = new Map(
    [...others, ...artifacts, ...artifacts.flatMap(dependenciesOf)].map(({ kind, name }) => [
      `${kind}/${name}`,
      { kind, name },
    ]),
  )
  const [entries, own] = await Promise.all([
    registryEntries(chain, [...names.values()]),
    readOwnerState(chain, owner),
  ])
  return { ...own, entries: new Map([...names.keys()].map((label, index) => [label, entries[index]])) }
}

/** @throws Failure('chain_unavailable') */
export async function readOwnerState(chain: VerifiedChain, owner: Address): Promise<OwnerState> {
  const [head, nonce] = await Promise.all([
    chainHead(chain.public),
    registryNonce(chain, owner, chain.public),
  ])
  return { head, nonce }
}

function dependenciesOf(artifact: Artifact) {
  return artifact.kind === 'connector' ? artifact.dependencies : []
}
