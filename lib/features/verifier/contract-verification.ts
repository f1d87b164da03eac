import type { Services } from '#lib/core/context/context.ts'
import { verifiedChain } from '#lib/core/context/verified-chain.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { verifierSettings } from './settings.ts'
import { contractSubmissions, submitToSourcify, type Verdict } from './verifiers/submit.ts'

/** Last answer of Sourcify about a contract. */
export interface StoredVerdict extends Verdict {
  readonly atMs: number
  /** Advice to the operator; undefined for a match. */
  readonly fix: string | undefined
}

/** Whether a Sourcify server is set, and its answers. */
export interface SourcifyState {
  readonly configured: boolean
  readonly verdicts: readonly StoredVerdict[]
}

/** Value of the column `verifier`. */
const SOURCIFY = 'Sourcify'

/** Wait of a request for a contract, some ten seconds: a later submission finds what is done by then. */
const POLLS = { pollMs: 2_500, polls: 4 }

/** Returns what Sourcify answered last about each contract. */
export async function contractVerification({
  config,
  db,
}: Pick<Services, 'config' | 'db'>): Promise<SourcifyState> {
  const rows = await db.sql<(Verdict & { at_ms: number })[]>`
    select contract, address, match, words, floor(extract(epoch from at) * 1000)::float8 as at_ms
    from contract_verdicts where verifier = ${SOURCIFY} order by contract`
  const verdicts = rows.map(({ at_ms: atMs, ...verdict }) => ({
    ...verdict,
    atMs,
    fix: verdict.match === 'none' ? fixOf(verdict.words) : undefined,
  }))
  return { configured: verifierSettings.of(config).sourcifyUrl !== undefined, verdicts }
}

/**
 * Submits the sources of the contracts to Sourcify, and stores its answers.
 *
 * @throws Failure('conflict') when no server is set, Failure('chain_unavailable') without a chain.
 */
export async function verifyContracts(
  ctx: Pick<Services, 'config' | 'db' | 'chain' | 'clock'>,
  options = POLLS,
): Promise<void> {
  const { config, db, clock } = ctx
  const { sourcifyUrl } = verifierSettings.of(config)
  if (sourcifyUrl === undefined) throw new Failure('conflict', 'No server is set: set SOURCIFY_URL')
  const chain = await verifiedChain(ctx)
  // Most requests never need the sources.
  const { default: inputs } = await import('./verifiers/built/inputs.json', { with: { type: 'json' } })
  const verdicts = await submitToSourcify(
    contractSubmissions(chain.chainId, chain, inputs),
    sourcifyUrl,
    options,
  )
  const at = clock().toISOString()
  const rows = verdicts.map((verdict) => ({ verifier: SOURCIFY, ...verdict, at }))
  await db.sql`
    insert into contract_verdicts ${db.sql(rows, 'verifier', 'contract', 'address', 'match', 'words', 'at')}
    on conflict (verifier, contract) do update set
      address = excluded.address, match = excluded.match, words = excluded.words, at = excluded.at`
}

function fixOf(words: string): string {
  if (/fetch failed|timeout|aborted/i.test(words)) return 'It does not answer: check SOURCIFY_URL.'
  if (/no result yet/i.test(words)) return 'It is still at work: submit again in a minute.'
  return 'Sourcify does not take these sources for this address: check that it serves this chain, and SOURCIFY_URL.'
}
