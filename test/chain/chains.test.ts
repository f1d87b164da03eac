import { describe, expect, test } from 'vitest'
import { finalityDepths } from '#lib/core/indexer/chain-source.ts'
import { paceOf } from '#lib/core/indexer/pace.ts'
import { readConfig } from '#lib/features/config.ts'
import { chainFacts, KNOWN_CHAIN_IDS } from '#lib/protocol/chains.ts'

const SECRETS = {
  DATABASE_URL: 'postgres://weft@localhost:5432/weft',
  CHAIN_TOKEN_KEY: 'ab'.repeat(32),
  SESSION_KEY: 'cd'.repeat(32),
}

describe('known chains', () => {
  const known = KNOWN_CHAIN_IDS.map(chainFacts)

  test('are told apart by id, and those in use by name', () => {
    expect(KNOWN_CHAIN_IDS).toEqual([
      1, 11_155_111, 8453, 84_532, 10, 11_155_420, 42_161, 421_614, 137, 80_002, 1337, 31_337,
    ])
    const named = known.filter(({ name }) => name !== 'Development chain')
    expect(new Set(named.map(({ name }) => name)).size).toBe(10)
  })

  test.each(known)('$name ($id) has what pages and the indexer need', (chain) => {
    for (const explorer of chain.explorers) {
      const { protocol, pathname, search } = new URL(explorer)
      expect([protocol, pathname, search]).toEqual(['https:', '/', ''])
      expect(explorer.endsWith('/')).toBe(false)
    }
    expect(chain.explorers.length > 0).toBe(chain.blockTimeMs !== undefined)
    expect(Number.isInteger(chain.depths.safe) && Number.isInteger(chain.depths.finalized)).toBe(true)
    expect(chain.depths.finalized).toBeGreaterThan(chain.depths.safe)
    expect(chain.currency).toMatch(/^(ETH|POL)$/)
  })

  test.each(['op-stack', 'arbitrum'] as const)('%s is not final before Ethereum is', (fees) => {
    const rollups = known.filter((chain) => chain.fees === fees)
    expect(rollups.length).toBeGreaterThan(1)
    for (const { depths, blockTimeMs = 0 } of rollups) {
      // Two epochs, and the minutes until a batch is posted.
      expect(depths.finalized * blockTimeMs).toBeGreaterThan(2 * 32 * 12_000 + 10 * 60_000)
    }
  })
})

describe('an unknown chain', () => {
  const unknown = chainFacts(987_654_321)

  test('has a name, no explorer, and blocks that become final as late as on any known chain', () => {
    expect(unknown).toMatchObject({ name: 'Chain 987654321', explorers: [], currency: 'ETH', fees: 'gas' })
    const deepest = Math.max(...KNOWN_CHAIN_IDS.map((id) => chainFacts(id).depths.finalized))
    expect(unknown.depths.finalized).toBe(deepest)
  })
})

test('the worker polls a public chain as slowly as a free plan needs, a development chain at once', () => {
  expect([1, 137, 42_161, 987_654_321, undefined].map((id) => paceOf(id).pollMs)).toEqual(
    Array(5).fill(15_000),
  )
  expect([1, 8453, 42_161].map((id) => paceOf(id).spacingMs)).toEqual([6_000, 15_000, 15_000])
  expect(paceOf(8453, 1_000)).toEqual({ pollMs: 1_000, spacingMs: 1_000, tagsMs: 60_000 })
  expect(paceOf(31_337)).toEqual({ pollMs: 250, spacingMs: 0, tagsMs: 0 })
})
describe('settings', () => {
  test('override depths, each by itself', () => {
    const { worker } = readConfig({ ...SECRETS, FINALIZED_DEPTH: '7' })
    expect(finalityDepths(42_161, worker)).toEqual({ safeDepth: 4800, finalizedDepth: 7 })
    expect(finalityDepths(31_337, readConfig(SECRETS).worker)).toEqual({ safeDepth: 32, finalizedDepth: 64 })
  })

  test('allow the configured chain for sign-in, unless they name the chains', () => {
    const allowed = (env: Record<string, string>) => readConfig({ ...SECRETS, ...env }).allowedChainIds
    expect(allowed({ CHAIN_ID: '8453' })).toEqual([1, 11_155_111, 1337, 31_337, 8453])
    expect(allowed({ CHAIN_ID: '1' })).toEqual([1, 11_155_111, 1337, 31_337])
    expect(allowed({ CHAIN_ID: '8453', ALLOWED_CHAIN_IDS: '10' })).toEqual([10])
  })
})
