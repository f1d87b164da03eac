import { describe, expect, test } from 'vitest'
import type { Address } from '#lib/protocol/entity.ts'
import { entriesBelow } from '#lib/studio/document/node-ref.ts'
import {
  amountText,
  conflicts,
  gasText,
  itemKey,
  openItems,
  planOf,
  planRequestOf,
  withPublished,
} from '#lib/ui/studio/publish/plan.ts'
import type { PlanAnswer } from '#lib/ui/studio/publish/requests.ts'
import { codeEntry, connectorEntry, dimension, documentOf } from '../../../studio/document/entries.ts'

const ME: Address = `0x${'a'.repeat(40)}`
const OTHER: Address = `0x${'b'.repeat(40)}`
const HASH = `0x${'1'.repeat(64)}`

type Planned = Extract<PlanAnswer, { outcome: 'planned' }>
type Item = Planned['items'][number]

function item(name: string, more: Partial<Item> = {}): Item {
  return {
    kind: 'transformation',
    name,
    content_hash: HASH,
    entry: null,
    in_document: true,
    draft_owner: null,
    traits: { depends_on: 'input', reads: [], calls: false },
    gas: '100000',
    data_fee: '0',
    ...more,
  }
}
function entry(owner: string, content_hash = HASH) {
  return {
    address: `0x${'c'.repeat(40)}`,
    owner,
    content_hash,
  }
}
function answer(...items: Item[]): Planned {
  return {
    outcome: 'planned',
    chain_id: 31_337,
    items,
    sponsored: false,
    currency: 'ETH',
    likely_fee_per_gas: '10',
    most_fee_per_gas: '30',
    balance: '5',
  }
}

describe('a plan', () => {
  test.each([
    ['nobody has it', {}, 'open'],
    ['my own draft', { draft_owner: ME }, 'open'],
    ['exactly this is published', { entry: entry(OTHER) }, 'published'],
    ['something else of mine is published', { entry: entry(ME, `0x${'2'.repeat(64)}`) }, 'taken'],
    ['something else is published', { entry: entry(OTHER, `0x${'2'.repeat(64)}`) }, 'taken'],
    ['a draft of somebody else', { draft_owner: OTHER }, 'held'],
    ['a draft of somebody else, published by now', { draft_owner: OTHER, entry: entry(OTHER) }, 'published'],
  ] as const)('%s', (_name, more, expected) => {
    const [read] = planOf(answer(item('up', more)), ME).items
    expect(read?.standing.state).toBe(expected)
    expect(read?.gas).toBe(expected === 'open' ? 100_000n : 0n)
  })

  test('without an account, drafts of others are no conflict yet', () => {
    expect(planOf(answer(item('up', { draft_owner: OTHER })), undefined).items[0]?.standing.state).toBe(
      'open',
    )
  })

  test('preserves the order, counts only what is sent, and adds the gas that wallets reserve', () => {
    const plan = planOf(
      answer(
        item('one'),
        item('two', { entry: entry(OTHER) }),
        item('three'),
        item('four', { draft_owner: OTHER }),
      ),
      ME,
    )
    expect(openItems(plan).map(({ name }) => name)).toEqual(['one', 'three'])
    expect(conflicts(plan).map(({ name }) => name)).toEqual(['four'])
    expect(plan.gas).toBe(200_000n)
    expect(plan.cost).toEqual({ likely: 2_000_000n, most: 7_500_000n, data: 0n })
    expect(plan.balance).toBe(5n)
  })

  test('adds the fee for data on Ethereum to the cost of what is open', () => {
    const plan = planOf(
      answer(item('one', { data_fee: '400' }), item('two', { data_fee: '9', entry: entry(OTHER) })),
      ME,
    )
    expect(plan.cost).toEqual({ likely: 1_000_400n, most: 3_750_500n, data: 400n })
  })
})

describe('amounts', () => {
  test.each([
    [0n, '0 ETH'],
    [1n, 'less than 0.00000001 ETH'],
    [612_345_678_901_234n, '0.000612 ETH'],
    [100n * 10n ** 18n, '100 ETH'],
    [1_234_567n * 10n ** 18n, '1,230,000 ETH'],
  ])('%s wei', (wei, text) => expect(amountText(wei, 'ETH')).toBe(text))
  test('in the currency of the chain', () => expect(amountText(10n ** 18n, 'POL')).toBe('1 POL'))
  test('gas to thousands', () => {
    expect(gasText(612_499n)).toBe('612,000')
    expect(gasText(999n)).toBe('999')
  })
})

describe('the request for a plan', () => {
  const code = (id: string, name: string) => codeEntry(id, name, 'return x;')
  const connector = (id: string, name: string, uses: string, composite = '') =>
    connectorEntry(id, name, [
      dimension(`${id}d`, { calls: [{ id: `${id}c`, name: uses, args: [] }], composite }),
    ])
  const document = documentOf(
    connector('1', 'top', 'up', 'inner'),
    connector('2', 'inner', '__proto__'),
    code('3', 'up'),
    code('4', '__proto__'),
    code('5', 'unused'),
    code('6', 'up'),
  )

  test('is the entry and what it needs of the document, the first of equal names', () => {
    expect(entriesBelow(document, document.entries[0]!).map(({ id }) => id)).toEqual(['1', '3', '2', '4'])
    expect(entriesBelow(document, document.entries[2]!).map(({ id }) => id)).toEqual(['3'])
  })

  test('names the account, and a body alone', () => {
    expect(planRequestOf(document, document.entries[2]!, ME)).toEqual({
      kind: 'transformation',
      name: 'up',
      account: ME,
      connectors: [],
      bodies: [{ kind: 'transformation', name: 'up', sol_src: 'return x;' }],
    })
    expect(planRequestOf(document, document.entries[0]!, undefined)).not.toHaveProperty('account')
  })
})

test('what this page has published is not published again, whether or not the site can be asked for it', () => {
  const plan = planOf(answer(item('a'), item('b')), ME)
  const [first, second] = plan.items
  const address: Address = `0x${'d'.repeat(40)}`
  const settled = withPublished(
    plan,
    new Map([
      [itemKey(first!), { at: 'done', address }],
      [itemKey(second!), { at: 'sent' }],
    ]),
    ME,
  )
  expect(settled.items[0]?.standing).toEqual({ state: 'published', address, owner: ME })
  expect(openItems(settled).map(({ name }) => name)).toEqual(['b'])
})
