import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Address } from '../../lib/protocol/entity.ts'
import { chainDocument } from '../../lib/server/operations/chain/document.ts'
import { chainOperations } from '../../lib/server/operations/chain/index.ts'
import { devAccount, type TestChain, testChain } from '../support/chain.ts'
import { chainConfig } from '../support/chain-config.ts'
import { testConfig } from '../support/config.ts'
import { type Answer, type ContractApi, startContractApi } from './contract-api.ts'
import { FUZZ_TIMEOUT_MS, fuzzParameters, fuzzRuns } from './fuzz-runs.ts'
import { UNLIMITED } from './rates.ts'
import { type FuzzDocument, type FuzzRequest, requestsTo, type Vocabulary } from './requests.ts'

const RUNS = fuzzRuns(600)
/** Node takes 16 KiB of request line and headers together. */
const LONGEST_LINE = 15_000

const OWNER = devAccount(0).address.toLowerCase() as Address
const vocabulary: Vocabulary = {
  // `same` is a transformation, a condition and a connector, so that random references often hold.
  names: [
    'same',
    'same',
    'same',
    'same',
    'same',
    'add',
    'flag',
    'pair',
    'nobody',
    '_',
    'toString',
    '__proto__',
    'a'.repeat(128),
  ],
  sources: [
    'return x + args[0];',
    'return args[0] > 0;',
    'return x;',
    'return',
    '}',
    'assembly { }',
    'while (true) {}',
    'import "x";',
  ],
  addresses: [OWNER, OWNER.slice(2).toUpperCase(), '0'.repeat(40), `0x${'f'.repeat(40)}`],
  hashes: ['0'.repeat(64), `0x${'a'.repeat(64)}`, 'F'.repeat(64)],
}

let chain: TestChain
let api: ContractApi
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

async function send({ method, path, token: kind, type, body }: FuzzRequest): Promise<Answer> {
  const bearer = kind === 'valid' ? token : kind === 'broken' ? `${token.slice(0, -3)}abc` : undefined
  return api.send(method, path, {
    type,
    ...(bearer !== undefined && { token: bearer }),
    ...(body !== undefined && { text: body }),
  })
}

const document = JSON.parse(JSON.stringify(chainDocument(chainOperations))) as FuzzDocument

describe('no request breaks the API', () => {
  test.each(chainOperations.map((operation) => [operation.id, operation] as const))(
    '%s',
    async (_, operation) => {
      await fc.assert(
        fc.asyncProperty(requestsTo(operation, document, vocabulary), async (request) => {
          // What is longer than a request line may be never reaches the API.
          fc.pre(request.path.length < LONGEST_LINE)
          const { status, defect } = await send(request)
          if (defect !== undefined) throw defect
          expect(status).not.toBe(500)
        }),
        fuzzParameters(RUNS / chainOperations.length),
      )
    },
    FUZZ_TIMEOUT_MS,
  )
})
