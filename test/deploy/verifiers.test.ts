import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Submission, submitToVerifiers } from '#lib/features/verifier/verifiers/submit.ts'
import { type Asked, type StandInVerifier, startVerifier } from '#test/support/verifier.ts'

// Stand-ins for verifiers, which answer as these document it.

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
  constructorArgs: '0x11',
  input: { language: 'Solidity' },
  compiler: '0.8.37+commit.f401782d',
}
const FAST = { pollMs: 1, polls: 3 }

async function submit(verifiers: Parameters<typeof submitToVerifiers>[1]) {
  const [verdict] = await submitToVerifiers([RUNNER], verifiers, FAST)
  return [verdict?.verifier, verdict?.match, verdict?.words]
}

test('nothing is sent to a verifier that is not named', async () => {
  expect(await submitToVerifiers([RUNNER], {}, FAST)).toEqual([])
  expect(asked).toEqual([])
})

test.each([
  ['exact_match', 'exact'],
  ['match', 'partial'],
])('Sourcify: a job that ends in %s is %s', async (runtimeMatch, match) => {
  verifier.answer = ({ method }) => {
    if (method === 'POST') return { status: 202, body: { verificationId: 'job' } }
    const done = asked.length > 2
    return { body: { isJobCompleted: done, contract: { match: runtimeMatch, runtimeMatch } } }
  }
  expect(await submit({ sourcifyUrl: `${base}/server/` })).toEqual(['Sourcify', match, runtimeMatch])
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
  expect(await submit({ sourcifyUrl: base })).toEqual(['Sourcify', 'exact', 'exact_match'])
  verifier.answer = ({ method }) =>
    method === 'POST'
      ? { status: 202, body: { verificationId: 'job' } }
      : { body: { isJobCompleted: true, error: { customCode: 'no_match', message: 'bytecodes differ' } } }
  expect(await submit({ sourcifyUrl: base })).toEqual(['Sourcify', 'none', 'bytecodes differ'])
})

test('Etherscan: the job is polled until it passes, and the key is in no answer', async () => {
  const results = ['Pending in queue', 'Pass - Verified']
  verifier.answer = ({ method }) => ({
    body: { status: '1', message: 'OK', result: method === 'POST' ? 'guid' : results.shift() },
  })
  const verifiers = { etherscanKey: 'secretkey', etherscanUrl: `${base}/v2/api` }
  expect(await submit(verifiers)).toEqual([
    'Etherscan',
    'verified, exact or partial not said',
    'Pass - Verified',
  ])
  expect(asked[0]?.path).toBe('/v2/api?chainid=8453&module=contract&action=verifysourcecode')
  expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toMatchObject({
    codeformat: 'solidity-standard-json-input',
    contractaddress: ADDRESS,
    contractname: 'contracts/Runner.sol:Runner',
    compilerversion: `v${RUNNER.compiler}`,
    constructorArguments: '11',
  })
  expect(asked[1]?.path).toContain('action=checkverifystatus&guid=guid')

  verifier.answer = () => ({ body: { status: '0', message: 'NOTOK', result: 'Invalid API Key secretkey' } })
  expect(await submit(verifiers)).toEqual(['Etherscan', 'none', 'Invalid API Key [key]'])
})

test('Blockscout: the input is uploaded, and the contract shows whether the match is exact', async () => {
  let started = false
  verifier.answer = ({ method }) => {
    if (method === 'POST') {
      started = true
      return { body: { message: 'Smart-contract verification started' } }
    }
    return started ? { body: { is_verified: true, is_fully_verified: true } } : { status: 404, body: {} }
  }
  expect(await submit({ blockscoutUrl: base })).toEqual(['Blockscout', 'exact', 'is_fully_verified'])
  const posted = asked.find(({ method }) => method === 'POST')
  expect(posted?.path).toBe(`/api/v2/smart-contracts/${ADDRESS}/verification/via/standard-input`)
  expect(posted?.body).toContain('name="files[0]"; filename="input.json"')
  expect(posted?.body).toContain(JSON.stringify(RUNNER.input))
})

test('a verifier that never decides, is not JSON or is away is an answer, not a failure', async () => {
  verifier.answer = () => ({ body: {} })
  expect((await submit({ blockscoutUrl: base }))[2]).toMatch(/no result yet/)
  expect(await submit({ sourcifyUrl: base })).toEqual(['Sourcify', 'none', 'HTTP status 200'])
  expect((await submit({ sourcifyUrl: 'http://127.0.0.1:1' }))[1]).toBe('none')
})
