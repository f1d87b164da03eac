import { setTimeout as sleep } from 'node:timers/promises'
import { PASSKEY_FACTORY } from '#lib/chain/passkey-factory.ts'
import type { Address } from '#lib/protocol/entity.ts'

/** A deployed contract and what it was compiled from. */
export interface Submission {
  readonly chainId: number
  readonly address: Address
  /** `Registry` or `Runner`. */
  readonly name: string
  /** solc's standard JSON input, and its version like `0.8.37+commit.f401782d`. */
  readonly input: object
  readonly compiler: string
}

/** Input of the compiler for our contracts. */
export interface VerifierInputs {
  readonly compiler: string
  /** solc's standard JSON inputs. */
  readonly protocol: object
  readonly passkeys: object
}

/** The contracts of a chain as Sourcify takes them. */
export function contractSubmissions(
  chainId: number,
  { registry, runner }: { readonly registry: Address; readonly runner: Address },
  { compiler, protocol, passkeys }: VerifierInputs,
): Submission[] {
  const shared = { chainId, compiler, input: protocol }
  return [
    { ...shared, name: 'Registry', address: registry },
    { ...shared, name: 'Runner', address: runner },
    { ...shared, input: passkeys, name: 'PasskeyFactory', address: PASSKEY_FACTORY },
  ]
}

/** Verdict of Sourcify; `exact` includes the metadata hash, `partial` does not. */
export interface Verdict {
  readonly contract: string
  readonly address: Address
  readonly match: 'exact' | 'partial' | 'none'
  /** Sourcify's own words, or why there is no answer. */
  readonly words: string
}

export interface SubmitOptions {
  /** Milliseconds between two questions about a result. */
  readonly pollMs?: number
  /** Questions before it is given up. */
  readonly polls?: number
}

const REQUEST_TIMEOUT_MS = 30_000
const MAX_WORDS = 300

type Answer = Pick<Verdict, 'match' | 'words'>
type Json = Readonly<Record<string, unknown>>

/**
 * Submits contracts to a Sourcify server, one after the other, and waits for the results. Never throws for a server that fails.
 *
 * @param url Its address, like `https://sourcify.dev/server`.
 */
export async function submitToSourcify(
  submissions: readonly Submission[],
  url: string,
  { pollMs = 5_000, polls = 36 }: SubmitOptions = {},
): Promise<Verdict[]> {
  const until: Until = async (ask) => {
    for (let i = 0; i < polls; i++) {
      const answer = await ask()
      if (answer !== undefined) return answer
      await sleep(pollMs)
    }
    return none('no result yet: run it again later')
  }
  const verdicts: Verdict[] = []
  for (const submission of submissions) {
    const { match, words } = await sourcify(url.replace(/\/+$/, ''), submission, until).catch(
      (error: Error) => none(error.message),
    )
    const { name: contract, address } = submission
    verdicts.push({ contract, address, match, words: words.slice(0, MAX_WORDS) })
  }
  return verdicts
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
  const level = runtimeMatch ?? match
  if (level === 'exact_match') return { match: 'exact', words: 'exact_match' }
  return level === 'match' ? { match: 'partial', words: 'match' } : none('no match')
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
  const words = [body.message, body.customCode].find((each) => typeof each === 'string' && each !== '')
  return words === undefined ? `HTTP status ${status}` : String(words)
}

function none(words: string): Answer {
  return { match: 'none', words }
}
