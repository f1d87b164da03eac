import type { CodeTraits } from '#lib/protocol/code-traits.ts'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'
import type { PlanAnswer } from '#lib/server/operations/studio/publication.ts'
import { codeRequest } from '#lib/studio/document/definition.ts'
import type { Entry, StudioDocument } from '#lib/studio/document/types.ts'
import { sliceOf } from '#lib/studio/runs/slice.ts'

/** An entity of a plan and its state on chain. */
export interface PlanItem {
  readonly kind: EntityKind
  readonly name: string
  readonly contentHash: Hash
  /** About what publishing it costs; 0 for what need not be published. */
  readonly gas: bigint
  /** Wei for its data on Ethereum, beside gas; 0 where there is no such fee, and for what need not be published. */
  readonly dataFee: bigint
  /** Whether the document defines it: its draft is saved before it is published. */
  readonly inDocument: boolean
  /** Dependence of its results, with everything below it. */
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

export interface AccountPlan {
  /** In order: each after everything it needs. */
  readonly items: readonly PlanItem[]
  readonly chainId: number
  /** Symbol of the currency of `cost` and `balance`. */
  readonly currency: string
  /** Gas of the items that are open. */
  readonly gas: bigint
  /** Probable cost, the most that wallets set aside for it, and the part of both for data on Ethereum. */
  readonly cost: { readonly likely: bigint; readonly most: bigint; readonly data: bigint }
  /** Balance of the account in wei; undefined for visitors. */
  readonly balance: bigint | undefined
  /** Whether this site pays, where the wallet signs typed data. */
  readonly sponsored: boolean
}

/** Wallets reserve a quarter more gas than the server's estimate. */
const HEADROOM = { over: 5n, under: 4n }

/** Reads the server's answer as what `account` can do. */
export function planOf(
  answer: Extract<PlanAnswer, { outcome: 'planned' }>,
  account: Address | undefined,
): AccountPlan {
  const items = answer.items.map((item): PlanItem => {
    const standing = standingOf(item, account)
    return {
      kind: item.kind,
      name: item.name,
      contentHash: item.content_hash as Hash,
      gas: standing.state === 'open' ? BigInt(item.gas) : 0n,
      dataFee: standing.state === 'open' ? BigInt(item.data_fee) : 0n,
      inDocument: item.in_document,
      traits: { ...item.traits, dependsOn: item.traits.depends_on },
      standing,
    }
  })
  const gas = items.reduce((sum, item) => sum + item.gas, 0n)
  const dataFee = items.reduce((sum, item) => sum + item.dataFee, 0n)
  const withHeadroom = (amount: bigint) => (amount * HEADROOM.over) / HEADROOM.under
  return {
    items,
    chainId: answer.chain_id,
    currency: answer.currency,
    gas,
    cost: {
      likely: gas * BigInt(answer.likely_fee_per_gas) + dataFee,
      most: withHeadroom(gas) * BigInt(answer.most_fee_per_gas) + withHeadroom(dataFee),
      data: dataFee,
    },
    balance: answer.balance === null ? undefined : BigInt(answer.balance),
    sponsored: answer.sponsored,
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
  // Without an account the owner of a draft cannot be compared.
  if (draft_owner !== null && account !== undefined && draft_owner !== account) {
    return { state: 'held', owner: draft_owner as Address }
  }
  return { state: 'open' }
}

/**
 * Returns a plan with what this page has published for an account.
 *
 * @param progress By `itemKey`, with the address of what is done.
 */
export function withPublished(
  plan: AccountPlan,
  progress: ReadonlyMap<string, { readonly at: string; readonly address?: Address }>,
  owner: Address,
): AccountPlan {
  const items = plan.items.map((item): PlanItem => {
    const reached = progress.get(itemKey(item))
    if (item.standing.state !== 'open' || reached?.at !== 'done' || reached.address === undefined) return item
    return {
      ...item,
      gas: 0n,
      dataFee: 0n,
      standing: { state: 'published', address: reached.address, owner },
    }
  })
  return { ...plan, items }
}

/** Items that have to be published, in order. */
export function openItems({ items }: Pick<AccountPlan, 'items'>): readonly PlanItem[] {
  return items.filter(({ standing }) => standing.state === 'open')
}

/** Conflicts that no transaction resolves. */
export function conflicts({ items }: Pick<AccountPlan, 'items'>): readonly PlanItem[] {
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

/** The request for an entry's plan; undefined while a number is unfinished. */
export function planRequestOf(document: StudioDocument, root: Entry, account: Address | undefined) {
  const what = { kind: root.kind, name: root.name, ...(account !== undefined && { account }) }
  if (root.kind !== 'connector') {
    return { ...what, connectors: [], bodies: [{ kind: root.kind, ...codeRequest(root) }] }
  }
  const slice = sliceOf(document, root)
  return slice && { ...what, connectors: slice.connectors, bodies: slice.bodies }
}

const AMOUNT = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3, maximumFractionDigits: 9 })
const GAS = new Intl.NumberFormat('en-US')

/** `0.00061 ETH`, to three digits: amounts of a plan are estimates. */
export function amountText(wei: bigint, currency: string): string {
  if (wei === 0n) return `0 ${currency}`
  const amount = Number(wei) / 1e18
  return amount < 1e-8 ? `less than 0.00000001 ${currency}` : `${AMOUNT.format(amount)} ${currency}`
}

/** `612,000`, to thousands. */
export function gasText(gas: bigint): string {
  return GAS.format(gas < 1000n ? gas : ((gas + 500n) / 1000n) * 1000n)
}
