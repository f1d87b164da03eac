import { afterAll, beforeAll, expect } from 'vitest'
import type { Address } from '#lib/protocol/entity.ts'
import { chainDocument } from '#lib/server/operations/chain/document.ts'
import { chainOperations } from '#lib/server/operations/chain/index.ts'
import type { TestApi } from '#test/support/api.ts'
import { devAccount, type TestChain, testChain } from '#test/support/chain.ts'
import { chainConfig } from '#test/support/chain-config.ts'
import { testConfig } from '#test/support/config.ts'
import { startContractApi } from './contract-api.ts'
import { bearer, nothingBreaks, WORDS } from './fuzz-runs.ts'
import { UNLIMITED } from './rates.ts'

const OWNER = devAccount(0).address.toLowerCase() as Address

let chain: TestChain
let api: TestApi
let token: string

beforeAll(async () => {
  chain = await testChain()
  api = await startContractApi({
    ...chainConfig(chain),
    rateLimits: UNLIMITED,
    simulate: { ...testConfig().simulate, timeoutMs: 2000 },
  })
  token = await api.token(OWNER)
  for (const [path, json] of [
    ['/transformation', { name: 'add', sol_src: 'return x + args[0];' }],
    ['/condition', { name: 'flag', sol_src: 'return args[0] > 0;' }],
    ['/transformation', { name: 'same', sol_src: 'return x;' }],
    ['/condition', { name: 'same', sol_src: 'return true;' }],
    ['/connector', { name: 'same', dimensions: [{ transformations: [] }] }],
    ['/connector', { name: 'pitch', dimensions: [{ transformations: [{ name: 'add', args: [1] }] }] }],
    [
      '/connector',
      {
        name: 'pair',
        dimensions: [
          { transformations: [{ name: 'add', args: [2] }], composite: 'pitch' },
          { transformations: [{ name: 'add', args: [3] }] },
        ],
        condition_name: 'flag',
        condition_args: [1],
        static_ri: { '2': { start_point: 60, transformation_shift: 0 } },
      },
    ],
  ] as const) {
    expect((await api.send('POST', path, { token, json })).status).toBe(201)
  }
})

afterAll(async () => {
  await api?.close()
  await chain?.close()
})

nothingBreaks(chainOperations, chainDocument(chainOperations), 600, {
  vocabulary: () => ({
    ...WORDS,
    addresses: [OWNER, OWNER.slice(2).toUpperCase(), '0'.repeat(40), `0x${'f'.repeat(40)}`],
    hashes: ['0'.repeat(64), `0x${'a'.repeat(64)}`, 'F'.repeat(64)],
  }),
  send: (request) => {
    const { method, path, type, body } = request
    return api.send(method, path, {
      ...bearer(request, token),
      ...(body !== undefined && { body, headers: { 'content-type': type } }),
    })
  },
})
