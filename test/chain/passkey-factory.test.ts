import { expect, test } from 'vitest'
import type { ChainAccess } from '#lib/chain/access.ts'
import { PASSKEY_FACTORY, passkeyFactory } from '#lib/chain/passkey-factory.ts'

test('a chain without the factory is read once a minute, and one with it once', async () => {
  let code: string | undefined
  let reads = 0
  const getCode = async () => {
    reads++
    return code
  }
  const chain = { public: { getCode } } as unknown as ChainAccess
  for (const nowMs of [1000, 2000, 60_999]) expect(await passkeyFactory(chain, nowMs)).toBeUndefined()
  expect(reads).toBe(1)
  code = '0x6001'
  for (const nowMs of [61_000, 61_001, 999_999])
    expect(await passkeyFactory(chain, nowMs)).toBe(PASSKEY_FACTORY)
  expect(reads).toBe(2)
})
