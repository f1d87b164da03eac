import type { Services } from '#lib/core/context/context.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { contractSubmissions, submitToVerifiers, type Verdict, type Verifiers } from './verifiers/submit.ts'

/** What a verifier last answered about a contract. */
export interface StoredVerdict extends Omit<Verdict, 'verifier'> {
  readonly atMs: number
  /** What to do about it; undefined for a match. */
  readonly fix: string | undefined
}

/** A service that publishes sources, and its answers. */
export interface VerifierState {
  readonly name: string
  /** The variable that names it. */
  readonly variable: string
  readonly configured: boolean
  readonly verdicts: readonly StoredVerdict[]
}

const VERIFIERS = [
  { name: 'Sourcify', variable: 'SOURCIFY_URL', setting: 'sourcifyUrl' },
  { name: 'Etherscan', variable: 'ETHERSCAN_API_KEY', setting: 'etherscanKey' },
  { name: 'Blockscout', variable: 'BLOCKSCOUT_URL', setting: 'blockscoutUrl' },
] as const satisfies readonly { name: string; variable: string; setting: keyof Verifiers }[]

/** Of a request, a contract is waited for some ten seconds: a later submission finds what is done by then. */
const POLLS = { pollMs: 2_500, polls: 4 }

/** Returns all verifiers, and what those that were asked answered last. */
export async function contractVerification({
  config,
  db,
}: Pick<Services, 'config' | 'db'>): Promise<VerifierState[]> {
  const rows = await db.sql<(Verdict & { at_ms: number })[]>`
    select verifier, contract, address, match, words, floor(extract(epoch from at) * 1000)::float8 as at_ms
    from contract_verdicts order by verifier, contract`
  return VERIFIERS.map(({ name, variable, setting }) => ({
    name,
    variable,
    configured: Boolean(config.verifiers[setting]),
    verdicts: rows
      .filter(({ verifier }) => verifier === name)
      .map(({ verifier: _, at_ms: atMs, ...verdict }) => ({
        ...verdict,
        atMs,
        fix: verdict.match === 'none' ? fixOf(name, variable, verdict.words) : undefined,
      })),
  }))
}

/**
 * Submits the sources of the contracts to the verifiers that are set, and stores their answers.
 *
 * @throws Failure('conflict') when none is set, Failure('chain_unavailable') without a chain.
 */
export async function verifyContracts(
  ctx: Pick<Services, 'config' | 'db' | 'chain' | 'clock'>,
  options = POLLS,
): Promise<void> {
  const { chain, config, db, clock } = ctx
  if (VERIFIERS.every(({ setting }) => !config.verifiers[setting])) {
    const names = VERIFIERS.map(({ variable }) => variable).join(', ')
    throw new Failure('conflict', `No verifier is set: set one or more of ${names}`)
  }
  if (chain === undefined) throw new Failure('chain_unavailable', 'No chain is configured')
  await chain.verify()
  // Most requests never need the sources.
  const { default: inputs } = await import('./verifiers/built/inputs.json', { with: { type: 'json' } })
  const verdicts = await submitToVerifiers(
    contractSubmissions(chain.chainId, chain, inputs),
    config.verifiers,
    options,
  )
  const at = clock().toISOString()
  const rows = verdicts.map(({ verifier, contract, address, match, words }) => ({
    ...{ verifier, contract, address, match, words, at },
  }))
  await db.sql`
    insert into contract_verdicts ${db.sql(rows)}
    on conflict (verifier, contract) do update set
      address = excluded.address, match = excluded.match, words = excluded.words, at = excluded.at`
}

function fixOf(name: string, variable: string, words: string): string {
  if (/fetch failed|timeout|aborted/i.test(words)) return `It does not answer: check ${variable}.`
  if (/api key/i.test(words)) return `Set ${variable} to a key of your account there.`
  if (/no result yet/i.test(words)) return 'It is still at work: submit again in a minute.'
  return `${name} does not take these sources for this address: check that it serves this chain, and ${variable}.`
}
