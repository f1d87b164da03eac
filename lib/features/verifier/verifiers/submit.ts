import { setTimeout as sleep } from 'node:timers/promises'
import { padHex } from 'viem'
import { PASSKEY_FACTORY } from '#lib/chain/passkey-factory.ts'
import type { Address, Hex } from '#lib/protocol/entity.ts'

/** A deployed contract and what it was compiled from. */
export interface Submission {
  readonly chainId: number
  readonly address: Address
  /** `Registry` or `Runner`. */
  readonly name: string
  /** ABI-encoded constructor arguments, `0x` without any. */
  readonly constructorArgs: Hex
  /** solc's standard JSON input, and its version like `0.8.37+commit.f401782d`. */
  readonly input: object
  readonly compiler: string
}

/** What our contracts are compiled from. */
export interface VerifierInputs {
  readonly compiler: string
  /** solc's standard JSON inputs. */
  readonly protocol: object
  readonly passkeys: object
}

/** The contracts of a chain as verifiers take them. */
export function contractSubmissions(
  chainId: number,
  { registry, runner }: { readonly registry: Address; readonly runner: Address },
  { compiler, protocol, passkeys }: VerifierInputs,
): Submission[] {
  const shared = { chainId, compiler, input: protocol }
  return [
    { ...shared, name: 'Registry', address: registry, constructorArgs: '0x' },
    { ...shared, name: 'Runner', address: runner, constructorArgs: padHex(registry, { size: 32 }) },
    { ...shared, input: passkeys, name: 'PasskeyFactory', address: PASSKEY_FACTORY, constructorArgs: '0x' },
  ]
}

/** What a verifier answered; `exact` includes the metadata hash, `partial` does not. */
export interface Verdict {
  readonly verifier: string
  readonly contract: string
  readonly address: Address
  readonly match: 'exact' | 'partial' | 'verified, exact or partial not said' | 'none'
  /** The verifier's own words, or why there is no answer. */
  readonly words: string
}

/** Verifiers to submit to: those that are named. */
export interface Verifiers {
  readonly sourcifyUrl?: string | undefined
  readonly etherscanKey?: string | undefined
  readonly etherscanUrl?: string | undefined
  readonly blockscoutUrl?: string | undefined
}

export interface SubmitOptions {
  /** Milliseconds between two questions about a result. */
  readonly pollMs?: number
  /** Questions before it is given up. */
  readonly polls?: number
}

const ETHERSCAN = 'https://api.etherscan.io/v2/api'
const REQUEST_TIMEOUT_MS = 30_000
const MAX_WORDS = 300

type Answer = Pick<Verdict, 'match' | 'words'>
type Json = Readonly<Record<string, unknown>>

/**
 * Submits contracts to all named verifiers, to each one after the other, and waits for the results. Never throws for a verifier that
 * fails.
 */
export async function submitToVerifiers(
  submissions: readonly Submission[],
  verifiers: Verifiers,
  { pollMs = 5_000, polls = 36 }: SubmitOptions = {},
): Promise<Verdict[]> {
  const { sourcifyUrl, etherscanKey, blockscoutUrl } = verifiers
  const etherscanUrl = verifiers.etherscanUrl ?? ETHERSCAN
  const until: Until = async (ask) => {
    for (let i = 0; i < polls; i++) {
      const answer = await ask()
      if (answer !== undefined) return answer
      await sleep(pollMs)
    }
    return none('no result yet: run it again later')
  }
  const all: [string, (submission: Submission) => Promise<Answer>][] = []
  if (sourcifyUrl) all.push(['Sourcify', (each) => sourcify(trimmed(sourcifyUrl), each, until)])
  if (etherscanKey) all.push(['Etherscan', (each) => etherscan(etherscanUrl, etherscanKey, each, until)])
  if (blockscoutUrl) all.push(['Blockscout', (each) => blockscout(trimmed(blockscoutUrl), each, until)])
  const verdictsOf = async ([verifier, submit]: (typeof all)[number]) => {
    const verdicts: Verdict[] = []
    for (const submission of submissions) {
      const { match, words } = await submit(submission).catch((error: Error) => none(error.message))
      // A key must not be printed or stored, whatever an answer repeats.
      const said = etherscanKey ? words.replaceAll(etherscanKey, '[key]') : words
      const { name: contract, address } = submission
      verdicts.push({ verifier, contract, address, match, words: said.slice(0, MAX_WORDS) })
    }
    return verdicts
  }
  return (await Promise.all(all.map(verdictsOf))).flat()
}

/** Asks until there is an answer, or for too long. */
type Until = (ask: () => Promise<Answer | undefined>) => Promise<Answer>

/** API v2: a job, and its result. */
async function sourcify(url: string, submission: Submission, until: Until): Promise<Answer> {
  const { chainId, address, name, input, compiler } = submission
  const { status, body } = await request(`${url}/v2/verify/${chainId}/${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      stdJsonInput: input,
      compilerVersion: compiler,
      contractIdentifier: `contracts/${name}.sol:${name}`,
    }),
  })
  // 409: it has the contract already, and nothing better came.
  if (status === 409) {
    return sourcifyMatch((await request(`${url}/v2/contract/${chainId}/${address}`)).body)
  }
  const { verificationId } = body
  if (typeof verificationId !== 'string') return none(wordsOf(body, status))
  return until(async () => {
    const job = await request(`${url}/v2/verify/${encodeURIComponent(verificationId)}`)
    if (job.body.isJobCompleted !== true) return undefined
    const { contract, error } = job.body as { contract?: Json; error?: Json }
    return error ? none(wordsOf(error, job.status)) : sourcifyMatch(contract ?? {})
  })
}

function sourcifyMatch({ runtimeMatch, match }: Json): Answer {
  const found = runtimeMatch ?? match
  if (found === 'exact_match') return { match: 'exact', words: 'exact_match' }
  return found === 'match' ? { match: 'partial', words: 'match' } : none('no match')
}

/** API v2: one key for all chains; it does not say whether a match is exact. */
async function etherscan(url: string, key: string, submission: Submission, until: Until): Promise<Answer> {
  const { chainId, address, name, constructorArgs, input, compiler } = submission
  const call = (action: string) =>
    `${url}?${new URLSearchParams({ chainid: String(chainId), module: 'contract', action })}`
  const args = constructorArgs.slice(2)
  const { status, body } = await request(call('verifysourcecode'), {
    method: 'POST',
    body: new URLSearchParams({
      apikey: key,
      codeformat: 'solidity-standard-json-input',
      sourceCode: JSON.stringify(input),
      contractaddress: address,
      contractname: `contracts/${name}.sol:${name}`,
      compilerversion: `v${compiler}`,
      // The documents spell it in both ways.
      constructorArguments: args,
      constructorArguements: args,
    }),
  })
  const first = etherscanAnswer(body)
  if (first) return first
  if (body.status !== '1') return none(wordsOf(body, status))
  const guid = String(body.result)
  return until(async () => {
    const query = new URLSearchParams({ guid, apikey: key })
    const { body: result } = await request(`${call('checkverifystatus')}&${query}`)
    if (/pending|in progress/i.test(String(result.result))) return undefined
    return etherscanAnswer(result) ?? none(wordsOf(result, 200))
  })
}

function etherscanAnswer({ result }: Json): Answer | undefined {
  const words = String(result)
  return /^pass\b|already verified/i.test(words)
    ? { match: 'verified, exact or partial not said', words }
    : undefined
}

/** REST API v2: the state of the contract is the result. */
async function blockscout(url: string, submission: Submission, until: Until): Promise<Answer> {
  const { address, name, constructorArgs, input, compiler } = submission
  const contract = `${url}/api/v2/smart-contracts/${address}`
  const known = blockscoutMatch((await request(contract)).body)
  if (known?.match === 'exact') return known
  const form = new FormData()
  form.set('compiler_version', `v${compiler}`)
  form.set('contract_name', name)
  form.set('license_type', 'mit')
  form.set('autodetect_constructor_args', 'false')
  form.set('constructor_args', constructorArgs.slice(2))
  form.set('files[0]', new Blob([JSON.stringify(input)], { type: 'application/json' }), 'input.json')
  const { status, body } = await request(`${contract}/verification/via/standard-input`, {
    method: 'POST',
    body: form,
  })
  if (status >= 400) return known ?? none(wordsOf(body, status))
  return until(async () => blockscoutMatch((await request(contract)).body))
}

function blockscoutMatch(body: Json): Answer | undefined {
  if (body.is_fully_verified === true) return { match: 'exact', words: 'is_fully_verified' }
  if (body.is_partially_verified === true) return { match: 'partial', words: 'is_partially_verified' }
  return undefined
}

async function request(url: string, init: RequestInit = {}): Promise<{ status: number; body: Json }> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
  const text = await response.text()
  try {
    const body: unknown = JSON.parse(text)
    return { status: response.status, body: typeof body === 'object' && body !== null ? (body as Json) : {} }
  } catch {
    return { status: response.status, body: {} }
  }
}

function wordsOf(body: Json, status: number): string {
  const words = [body.result, body.message, body.customCode].find(
    (each) => typeof each === 'string' && each !== '',
  )
  return words === undefined ? `HTTP status ${status}` : String(words)
}

function none(words: string): Answer {
  return { match: 'none', words }
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '')
}
