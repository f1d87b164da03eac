import type { VerifiedChain } from '#lib/chain/access.ts'
import { readProvider } from '#lib/chain/provider.ts'
import { type RegistryEntry, registryEntries, registryNonce } from '#lib/chain/registry-reads.ts'
import type { Context } from '#lib/core/context/context.ts'
import type { Artifact } from '#lib/protocol/artifact.ts'
import { chainFacts } from '#lib/protocol/chains.ts'
import { type CodeTraits, together, traitsOf } from '#lib/protocol/code-traits.ts'
import type { Address, EntityKind, Hash, Hex } from '#lib/protocol/entity.ts'
import { assemble } from '../slice/assemble.ts'
import { compileSlice, type Slice, type SliceProblem } from '../slice/slice.ts'
import { chainHead, suggestFees } from './chain-state.ts'
import { estimatePublishGas, publishCalldata } from './estimate-publish-gas.ts'
import { publicationChain } from './preconditions.ts'
import { calldataCosts } from './publication-costs.ts'
import { isSponsored } from './sponsor-budget.ts'

export interface PlanRequest {
  readonly slice: Slice
  readonly kind: EntityKind
  /** Defined by the slice, or else a draft or published. */
  readonly name: string
  /** Account that would publish. */
  readonly account: Address | undefined
  /** Author metadata by `<kind>/<name>`. */
  readonly metadata?: ReadonlyMap<string, Hex>
}

export interface PlannedItem {
  readonly kind: EntityKind
  readonly name: string
  readonly contentHash: Hash
  /** Current registry entry of the name. */
  readonly entry: RegistryEntry | undefined
  /** Whether the document defines it; otherwise it is a draft or published. */
  readonly inDocument: boolean
  /** Owner of a draft of the name on this server. */
  readonly draftOwner: Address | undefined
  /** Traits of it and all its dependencies. */
  readonly traits: CodeTraits
  /** Estimated gas of its publication. */
  readonly gas: bigint
  /** Wei for its data on Ethereum, beside gas; 0 on chains without such a fee. */
  readonly dataFee: bigint
}

export interface PublicationPlan {
  /** In order of dependency. Of dependencies of published entities only those in the document are listed. */
  readonly items: readonly PlannedItem[]
  /** Wei per gas: the likely price, and the maximum that wallets reserve. */
  readonly fees: { readonly likely: bigint; readonly most: bigint }
  /** Wei; undefined without an account. */
  readonly balance: bigint | undefined
  readonly chainId: number
  /** Symbol of the currency that pays for gas. */
  readonly currency: string
  /** Whether the operator pays for what is not published yet, where the owner's wallet signs typed data. */
  readonly sponsored: boolean
}

export type PlanResult =
  | { readonly outcome: 'planned'; readonly plan: PublicationPlan }
  | { readonly outcome: 'invalid'; readonly problems: readonly SliceProblem[] }

/**
 * Plans the publication of an entity of an unsaved document: all its dependencies in order, with their registry entries
 * and costs. Stores nothing and needs no sign-in.
 *
 * @throws Failure('publication_disabled'), Failure('chain_unavailable'), Failure('overloaded'),
 *   Failure('artifacts_unavailable'), Failure('rejected') when the document is too large.
 */
export async function planPublication(ctx: Context, input: PlanRequest): Promise<PlanResult> {
  const built = await buildArtifacts(ctx, input)
  if (!built.ok) return { outcome: 'invalid', problems: built.problems }
  const chain = await publicationChain(ctx)
  const own = namesOf(input.slice)
  const planned = await withRegistryEntries(chain, built, own)
  const [head, nonce, balance, owners] = await Promise.all([
    chainHead(chain.public),
    input.account === undefined ? 1n : registryNonce(chain, input.account),
    input.account === undefined
      ? undefined
      : readProvider('read the balance', () =>
          chain.public.getBalance({ address: input.account as Address }),
        ),
    draftOwners(ctx, planned),
  ])
  const { maxFeePerGas, maxPriorityFeePerGas } = await suggestFees(chain.public, head)
  const likely = (head.baseFeePerGas ?? maxFeePerGas - maxPriorityFeePerGas) + maxPriorityFeePerGas
  const traits = traitsIn(built.artifacts)
  const firstOpen = planned.find(({ entry }) => entry === undefined)
  const from = input.account ?? chain.registry
  const calldata = planned.map(({ artifact }) =>
    publishCalldata(artifact, from, input.metadata?.get(`${artifact.kind}/${artifact.name}`)),
  )
  const costs = await calldataCosts(chain, from, calldata)
  const gasOf = (artifact: Artifact, index: number): bigint => {
    const first = nonce === 0n && artifact === firstOpen?.artifact
    const { extraGas = 0n, leastGas = 0n } = costs[index] ?? {}
    const gas = estimatePublishGas(artifact, calldata[index] as Hex, first) + extraGas
    if (gas < leastGas) return leastGas
    return gas
  }
  const items = planned.map(({ artifact, entry }, index) => ({
    kind: artifact.kind,
    name: artifact.name,
    contentHash: artifact.contentHash,
    entry,
    inDocument: own.has(`${artifact.kind}/${artifact.name}`),
    draftOwner: owners.get(`${artifact.kind}/${artifact.name}`),
    traits: traits(artifact),
    gas: gasOf(artifact, index),
    dataFee: costs[index]?.dataFee ?? 0n,
  }))
  const most = items
    .filter(({ entry }) => entry === undefined)
    .reduce((wei, { gas, dataFee }) => wei + gas * maxFeePerGas + dataFee, 0n)
  return {
    outcome: 'planned',
    plan: {
      items,
      sponsored: await isSponsored(ctx, input.account, most),
      fees: { likely, most: maxFeePerGas },
      balance,
      chainId: chain.chainId,
      currency: ctx.config.chainCurrency ?? chainFacts(chain.chainId).currency,
    },
  }
}

type Built =
  | { readonly ok: true; readonly root: Artifact; readonly artifacts: ReadonlyMap<Hash, Artifact> }
  | { readonly ok: false; readonly problems: readonly SliceProblem[] }

async function buildArtifacts(ctx: Context, { slice, kind, name }: PlanRequest): Promise<Built> {
  const bodies = await compileSlice(ctx, slice)
  if (kind !== 'connector') {
    const body = bodies.find((each) => each.kind === kind && each.name === name)
    if (body?.result.ok) {
      const { artifact } = body.result
      return { ok: true, root: artifact, artifacts: new Map([[artifact.contentHash, artifact]]) }
    }
    const message =
      body === undefined ? `There is no ${kind} ${name} to publish` : 'The body does not compile'
    return { ok: false, problems: [{ kind, name, message }] }
  }
  const assembled = await assemble(ctx, slice, bodies, name)
  if (!assembled.ok) return assembled
  const artifacts = new Map(assembled.artifacts.map((artifact) => [artifact.contentHash, artifact]))
  return { ok: true, root: artifacts.get(assembled.root) as Artifact, artifacts }
}

interface PlannedArtifact {
  readonly artifact: Artifact
  readonly entry: RegistryEntry | undefined
}

/**
 * Reads registry entries from the root down. Dependencies of an entity that is published with the same content are
 * published too, so they are left out unless the document defines them.
 */
async function withRegistryEntries(
  chain: VerifiedChain,
  { root, artifacts }: Extract<Built, { ok: true }>,
  own: ReadonlySet<string>,
): Promise<PlannedArtifact[]> {
  const plannedByHash = new Map<Hash, PlannedArtifact>()
  const below = ({ artifact, entry }: PlannedArtifact): Artifact[] => {
    const parts = partsOf(artifact, artifacts)
    if (entry?.contentHash !== artifact.contentHash) return parts
    return parts.filter(({ kind, name }) => own.has(`${kind}/${name}`))
  }
  for (let level: Artifact[] = [root]; level.length > 0; ) {
    const entries = await registryEntries(chain, level)
    const planned = level.map((artifact, index): PlannedArtifact => ({ artifact, entry: entries[index] }))
    for (const each of planned) plannedByHash.set(each.artifact.contentHash, each)
    level = [...new Set(planned.flatMap(below))].filter(({ contentHash }) => !plannedByHash.has(contentHash))
  }

  const ordered: PlannedArtifact[] = []
  const seenHashes = new Set<Hash>()
  const visit = ({ contentHash }: Artifact) => {
    const planned = plannedByHash.get(contentHash)
    if (planned === undefined || seenHashes.has(contentHash)) return
    seenHashes.add(contentHash)
    below(planned).forEach(visit)
    ordered.push(planned)
  }
  visit(root)
  return ordered
}

function partsOf(artifact: Artifact, artifacts: ReadonlyMap<Hash, Artifact>): Artifact[] {
  if (artifact.kind !== 'connector') return []
  return artifact.dependencies.flatMap(({ contentHash }) => artifacts.get(contentHash) ?? [])
}

/** Returns the traits of an artifact with all its dependencies, memoised. */
function traitsIn(artifacts: ReadonlyMap<Hash, Artifact>): (artifact: Artifact) => CodeTraits {
  const traitsByHash = new Map<Hash, CodeTraits>()
  const find = (artifact: Artifact): CodeTraits => {
    const traits =
      traitsByHash.get(artifact.contentHash) ??
      partsOf(artifact, artifacts)
        .map(find)
        .reduce(together, traitsOf([artifact]))
    traitsByHash.set(artifact.contentHash, traits)
    return traits
  }
  return find
}

function namesOf({ connectors, bodies }: Slice): ReadonlySet<string> {
  return new Set([
    ...connectors.map(({ name }) => `connector/${name}`),
    ...bodies.map(({ kind, name }) => `${kind}/${name}`),
  ])
}

async function draftOwners(
  ctx: Pick<Context, 'db'>,
  planned: readonly PlannedArtifact[],
): Promise<ReadonlyMap<string, Address>> {
  const names = planned.map(({ artifact }) => artifact)
  const rows = await ctx.db.sql<{ kind: EntityKind; name: string; owner: Address }[]>`
    select d.kind, d.name, d.owner from drafts d
    join unnest(${names.map(({ kind }) => kind)}::text[], ${names.map(({ name }) => name)}::text[]) as planned(kind, name)
      on d.kind = planned.kind and d.name = planned.name`
  return new Map(rows.map(({ kind, name, owner }) => [`${kind}/${name}`, owner]))
}
