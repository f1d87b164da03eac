import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainName } from '#lib/core/context/describe-chain.ts'
import type { Config } from '#lib/platform/config.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.close())

function named(config: Partial<Config>) {
  return chainName({ config: config as Config, db: db as never })
}

test('the name of the chain comes from the configuration, else from the chain that the database follows', async () => {
  expect(await named({})).toBeUndefined()
  expect(await named({ chainId: 1 })).toBe('Ethereum')
  await db.sql`
    insert into worker_state
      (id, chain_id, registry, processed_block, head_block, safe_block, finalized_block, last_stream_seq, updated_at_ms)
    values (1, 11155111, '0x', 1, 1, 1, 1, 0, 0)`
  expect(await named({})).toBe('Sepolia')
  expect(await named({ chainId: 1 })).toBe('Ethereum')
  expect(await named({ chainName: 'Ours', chainId: 1 })).toBe('Ours')
})
