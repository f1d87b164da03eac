import type { CodeTraits } from '../../../domain/code-traits.ts'
import type { Address, EntityKind, Hash } from '../../../domain/entity.ts'
import type { PlanAnswer } from './requests.ts'

/** One thing of a plan and what stands between it and the chain. */
export interface PlanItem {
  readonly kind: EntityKind
  readonly name: string
  readonly contentHash: Hash
  /** About what publishing it costs; 0 for what need not be published. */
  readonly gas: bigint
  /** Whether the document defines it: its draft is saved before it is published. */
  readonly inDocument: boolean
  /** What its results depend on, with everything below it. */
  readonly traits: CodeTraits
  readonly standing: Standing
}

/**
 * - `published`: the registry holds exactly this.
 * - `open`: it can be published by this account.
 * - `taken`: the registry holds something else under the name (mismatched).
 * - `held`: another account has a draft of the name, so only that one can publish it (missing, for this account).
 */
export type Standing =
  | { readonly state: 'published'; readonly address: Address; readonly owner: Address }
  | { readonly state: 'open' }
  | { readonly state: 'taken'; readonly owner: Address }
  | { readonly state: 'held'; readonly owner: Address }

export interface Plan {
  /** In order: each after everything it needs. */
  readonly items: readonly PlanItem[]
  readonly chainId: number
  /** Of what is open. */
  readonly gas: bigint
  /** Wei: what it will probably cost, and the most that wallets set aside for it. */
  readonly cost: { readonly likely: bigint; readonly most: bigint }
  /** Wei that the account holds; undefined when nobody is signed in. */
  readonly balance: bigint | undefined
}

/** Gas that wallets set aside beyond the estimate, as the server asks for: a quarter. */
const HEADROOM = { over: 5n, under: 4n }

/** Reads the server's answer as what `account` can do. */
export function planOf(
  answer: Extract<PlanAnswer, { outcome: 'planned' }>,
  account: Address | undefined,
): Plan {
  const items = answer.items.map((item): PlanItem => {
    const standing = standingOf(item, account)
    return {
      kind: item.kind,
      name: item.name,
      contentHash: item.content_hash as Hash,
      gas: standing.state === 'open' ? BigInt(item.gas) : 0n,
      inDocument: item.in_document,
      traits: { ...item.traits, dependsOn: item.traits.depends_on },
      standing,
    }
  })
  const gas = items.reduce((sum, item) => sum + item.gas, 0n)
  const set = (gas * HEADROOM.over) / HEADROOM.under
  return {
    items,
    chainId: answer.chain_id,
    gas,
    cost: { likely: gas * BigInt(answer.likely_fee_per_gas), most: set * BigInt(answer.most_fee_per_gas) },
    balance: answer.balance === null ? undefined : BigInt(answer.balance),
  }
}

function standingOf(
  { entry, content_hash, draft_owner }: Extract<PlanAnswer, { outcome: 'planned' }>['items'][number],
  account: Address | undefined,
): Standing {
  if (entry !== null) {
    const owner = entry.owner as Address
    return entry.content_hash === content_hash
      ? { state: 'published', address: entry.address as Address, owner }
      : { state: 'taken', owner }
  }
  // Without an account nobody can say whose draft is in the way.
  if (draft_owner !== null && account !== undefined && draft_owner !== account) {
    return { state: 'held', owner: draft_owner as Address }
  }
  return { state: 'open' }
}

/** What has to be published, in order. */
export function openItems({ items }: Pick<Plan, 'items'>): readonly PlanItem[] {
  return items.filter(({ standing }) => standing.state === 'open')
}

/** What stands in the way and no transaction mends. */
export function conflicts({ items }: Pick<Plan, 'items'>): readonly PlanItem[] {
  return items.filter(({ standing }) => standing.state === 'taken' || standing.state === 'held')
}

/** Names an item among those of any plan, also the next time. */
export function itemKey({
  kind,
  name,
  contentHash,
}: Pick<PlanItem, 'kind' | 'name' | 'contentHash'>): string {
  return `${kind}/${name}/${contentHash}`
}
