import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Submission, submitToSourcify } from '#lib/features/verifier/verifiers/submit.ts'
import { type Asked, type StandInVerifier, startVerifier } from '#test/support/verifier.ts'

// A stand-in for Sourcify, which answers as it documents.

let verifier: StandInVerifier
let base: string
let asked: Asked[]

beforeEach(async () => {
  verifier = await startVerifier()
  base = verifier.url
  asked = verifier.asked
})
afterEach(() => verifier.close())

const ADDRESS = `0x${'ab'.repeat(20)}` as const
const RUNNER: Submission = {
  chainId: 8453,
  address: ADDRESS,
  name: 'Runner',
  input: { language: 'Solidity' },
  compiler: '0.8.37+commit.f401782d',
}
const FAST = { pollMs: 1, polls: 3 }

async function submit(url: string) {
  const [verdict] = await submitToSourcify([RUNNER], url, FAST)
  return [verdict?.match, verdict?.words]
}

test.each([
  ['exact_match', 'exact'],
  ['match', 'partial'],
])('Sourcify: a job that ends in %s is %s', async (runtimeMatch, match) => {
  verifier.answer = ({ method }) => {
    if (method === 'POST') return { status: 202, body: { verificationId: 'job' } }
    const done = asked.length > 2
    return { body: { isJobCompleted: done, contract: { match: runtimeMatch, runtimeMatch } } }
  }
  expect(await submit(`${base}/server/`)).toEqual([match, runtimeMatch])
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `POST /server/v2/verify/8453/${ADDRESS}`,
    'GET /server/v2/verify/job',
    'GET /server/v2/verify/job',
  ])
  expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
    stdJsonInput: RUNNER.input,
    compilerVersion: RUNNER.compiler,
    contractIdentifier: 'contracts/Runner.sol:Runner',
  })
})

test('Sourcify: a contract that it has already keeps its match; a failed job says why', async () => {
  verifier.answer = ({ method }) =>
    method === 'POST'
      ? { status: 409, body: { customCode: 'already_verified', message: 'already there' } }
      : { body: { match: 'exact_match', runtimeMatch: 'exact_match' } }
  expect(await submit(base)).toEqual(['exact', 'exact_match'])
  verifier.answer = ({ method }) =>
    method === 'POST'
      ? { status: 202, body: { verificationId: 'job' } }
      : { body: { isJobCompleted: true, error: { customCode: 'no_match', message: 'bytecodes differ' } } }
  expect(await submit(base)).toEqual(['none', 'bytecodes differ'])
})

test('a server that never decides, is not JSON or is away is an answer, not a failure', async () => {
  verifier.answer = ({ method }) =>
    method === 'POST' ? { status: 202, body: { verificationId: 'job' } } : { body: {} }
  expect((await submit(base))[1]).toMatch(/no result yet/)
  verifier.answer = () => ({ body: {} })
  expect(await submit(base)).toEqual(['none', 'HTTP status 200'])
  expect((await submit('http://127.0.0.1:1'))[0]).toBe('none')
})
