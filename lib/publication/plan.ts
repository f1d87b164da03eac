import { readProvider } from '../chain/provider.ts'
import { type RegistryEntry, registryEntries, registryNonce } from '../chain/registry-reads.ts'
import type { Context } from '../context.ts'
import type { Artifact } from '../domain/artifact.ts'
import { type CodeTraits, together, traitsOf } from '../domain/code-traits.ts'
import type { Address, EntityKind, Hash } from '../domain/entity.ts'
import { assemble } from '../preview/assemble.ts'
import { compileSlice } from '../preview/compile-slice.ts'
import type { Slice, SliceProblem } from '../preview/slice.ts'
import { chainHead, suggestFees } from './chain-state.ts'
import { estimatePublishGas } from './estimate-publish-gas.ts'
import { requirePublication } from './require-publication.ts'

export interface PlanInput {
  readonly slice: Slice
  readonly kind: EntityKind
  /** Of the slice, or else a draft or something published. */
  readonly name: string
  /** Who would publish. */
  readonly account: Address | undefined
}

export interface PlannedItem {
  readonly kind: EntityKind
  readonly name: string
  readonly contentHash: Hash
  /** What the registry holds under the name now. */
  readonly entry: RegistryEntry | undefined
  /** Whether the document defines it; otherwise it is what the network has under the name. */
  readonly inDocument: boolean
  /** Who has a draft of the name on this server. */
  readonly draftOwner: Address | undefined
  /** What its results depend on, with everything below it. */
  readonly traits: CodeTraits
  /** About what publishing it costs. */
  readonly gas: bigint
}

export interface Plan {
  /** Each after everything it needs. Below what is published as it is, only what the document defines is listed. */
  readonly items: readonly PlannedItem[]
  /** Wei for a unit of gas: what it is likely to be, and what wallets set aside. */
  readonly fees: { readonly likely: bigint; readonly most: bigint }
  /** Wei; undefined without an account. */
  readonly balance: bigint | undefined
  readonly chainId: number
}

export type Planned =
  | { readonly outcome: 'planned'; readonly plan: Plan }
  | { readonly outcome: 'invalid'; readonly problems: readonly SliceProblem[] }

/**
 * What it takes to publish something of an unsaved document: everything it needs, in order, held against the registry,
 * with what it costs. Nothing is stored, and nobody need be signed in.
 *
 * @throws Failure('publication_disabled'), Failure('chain_unavailable'), Failure('overloaded'),
 *   Failure('artifacts_unavailable'), Failure('rejected') when the document is too large.
 */
export function planPublication(ctx: Context, input: PlanInput): Promise<Planned> {
  const chain = requirePublication(ctx)
  return ctx.previewGate.pass(async () => {
    const built = await buildArtifacts(ctx, input)
    if (!built.ok) return { outcome: 'invalid', problems: built.problems }
    await chain.verify()
    const own = namesOf(input.slice)
    const needed = await heldAgainstRegistry(ctx, built, own)
    const [head, nonce, balance, owners] = await Promise.all([
      chainHead(chain.public),
      input.account === undefined ? 1n : registryNonce(chain, input.account),
      input.account === undefined
        ? undefined
        : readProvider('read the balance', () =>
            chain.public.getBalance({ address: input.account as Address }),
          ),
      draftOwners(ctx, needed),
    ])
    const { maxFeePerGas, maxPriorityFeePerGas } = await suggestFees(chain.public, head)
    const likely = (head.baseFeePerGas ?? maxFeePerGas - maxPriorityFeePerGas) + maxPriorityFeePerGas
    const traits = traitsIn(built.artifacts)
    const firstOpen = needed.find(({ entry }) => entry === undefined)
    return {
      outcome: 'planned',
      plan: {
        items: needed.map(({ artifact, entry }) => ({
          kind: artifact.kind,
          name: artifact.name,
          contentHash: artifact.contentHash,
          entry,
          inDocument: own.has(`${artifact.kind}/${artifact.name}`),
          draftOwner: owners.get(`${artifact.kind}/${artifact.name}`),
          traits: traits(artifact),
          gas: estimatePublishGas(
            artifact,
            input.account ?? chain.registry,
            nonce === 0n && artifact === firstOpen?.artifact,
          ),
        })),
        fees: { likely, most: maxFeePerGas },
        balance,
        chainId: chain.chainId,
      },
    }
  }, ctx.client)
}

type Built =
  | { readonly ok: true; readonly root: Artifact; readonly artifacts: ReadonlyMap<Hash, Artifact> }
  | { readonly ok: false; readonly problems: readonly SliceProblem[] }

async function buildArtifacts(ctx: Context, { slice, kind, name }: PlanInput): Promise<Built> {
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

interface Held {
  readonly artifact: Artifact
  readonly entry: RegistryEntry | undefined
}

/**
 * What is published with the same content stands for all below it: the registry has it. Only what the document itself
 * defines is listed even so, so that its author sees where each of its entries is.
 */
async function heldAgainstRegistry(
  ctx: Context,
  { root, artifacts }: Extract<Built, { ok: true }>,
  own: ReadonlySet<string>,
): Promise<Held[]> {
  const chain = requirePublication(ctx)
  const held = new Map<Hash, Held>()
  const below = ({ artifact, entry }: Held): Artifact[] => {
    const parts = partsOf(artifact, artifacts)
    if (entry?.contentHash !== artifact.contentHash) return parts
    return parts.filter(({ kind, name }) => own.has(`${kind}/${name}`))
  }
  for (let level: Artifact[] = [root]; level.length > 0; ) {
    const entries = await registryEntries(chain, level)
    const found = level.map((artifact, index): Held => ({ artifact, entry: entries[index] }))
    for (const each of found) held.set(each.artifact.contentHash, each)
    level = [...new Set(found.flatMap(below))].filter(({ contentHash }) => !held.has(contentHash))
  }

  const ordered: Held[] = []
  const seen = new Set<Hash>()
  const visit = ({ contentHash }: Artifact) => {
    const found = held.get(contentHash)
    if (found === undefined || seen.has(contentHash)) return
    seen.add(contentHash)
    below(found).forEach(visit)
    ordered.push(found)
  }
  visit(root)
  return ordered
}

function partsOf(artifact: Artifact, artifacts: ReadonlyMap<Hash, Artifact>): Artifact[] {
  if (artifact.kind !== 'connector') return []
  return artifact.dependencies.flatMap(({ contentHash }) => artifacts.get(contentHash) ?? [])
}

/** Traits of artifacts with everything below them, each looked at once. */
function traitsIn(artifacts: ReadonlyMap<Hash, Artifact>): (artifact: Artifact) => CodeTraits {
  const known = new Map<Hash, CodeTraits>()
  const find = (artifact: Artifact): CodeTraits => {
    const traits =
      known.get(artifact.contentHash) ??
      partsOf(artifact, artifacts)
        .map(find)
        .reduce(together, traitsOf([artifact]))
    known.set(artifact.contentHash, traits)
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
  needed: readonly Held[],
): Promise<ReadonlyMap<string, Address>> {
  const names = needed.map(({ artifact }) => artifact)
  const rows = await ctx.db.sql<{ kind: EntityKind; name: string; owner: Address }[]>`
    select d.kind, d.name, d.owner from drafts d
    join unnest(${names.map(({ kind }) => kind)}::text[], ${names.map(({ name }) => name)}::text[]) as asked(kind, name)
      on d.kind = asked.kind and d.name = asked.name`
  return new Map(rows.map(({ kind, name, owner }) => [`${kind}/${name}`, owner]))
}
