import type postgres from 'postgres'
import type { Compiler } from '#lib/compute/solidity/compiler.ts'
import { createCompilerPool } from '#lib/compute/solidity/pool.ts'
import type { Services } from '#lib/core/context/context.ts'
import { connect } from '#lib/platform/db/connect.ts'
import { claimLease, LEASES, releaseLease } from '#lib/platform/db/leases.ts'
import { repeat } from '#lib/platform/repeat.ts'
import { parseAuthorMetadata } from '#lib/protocol/author-metadata.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { newInstance } from './heartbeat.ts'

const IDLE_MS = 2_000
/** Longer than the two attempts at compiling one body. */
const LEASE_SECONDS = 60
const RETRY_MS = 10_000
/** Least pause after a check; a longer check is followed by a pause as long, so that it takes half a core at most. */
const REST_MS = 50
/** Time of a source at first: its owner's wait, where it needs more, until no other source waits. */
const QUICK_MS = 2_000
const MAX_DEFERRED = 10_000
/** Priority below everything else on the machine. */
const NICENESS = 10

interface OpenCheck {
  readonly kind: 'transformation' | 'condition'
  readonly name: string
  readonly owner: string
  readonly content_hash: Hash
  readonly metadata_hash: Hash
  readonly metadata: Buffer | null
}

/**
 * Compiles published sources, one at a time on a thread of its own, and stores whether they give what is published, until
 * the signal. One process of those that share a database does it; the others wait for its lease. Logs failures and retries.
 */
export async function checkSources(
  { config, log }: Pick<Services, 'config' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const sql = connect(config.databaseUrl, { max: 1 })
  const holder = newInstance()
  let compilers: Compilers | undefined
  const deferred = new Set<string>()
  const message = 'Failed to check a published source, retrying'
  await repeat(signal, { log, message, retryMs: RETRY_MS }, async () => {
    const startedMs = performance.now()
    const claimed = await claimLease(sql, LEASES.sourceChecks, holder, LEASE_SECONDS)
    const next = claimed ? await nextCheck(sql, deferred) : undefined
    if (next === undefined) {
      // An idle compiler costs memory.
      await close(compilers)
      compilers = undefined
      deferred.clear()
      return IDLE_MS
    }
    const { timeoutMs } = config.compile
    const create = (ms: number) =>
      createCompilerPool({ timeoutMs: ms, maxQueue: 1, threads: 1, niceness: NICENESS })
    compilers ??= { quick: create(Math.min(QUICK_MS, timeoutMs)), patient: create(timeoutMs), deferred }
    await check(sql, compilers, next, signal)
    return Math.max(REST_MS, performance.now() - startedMs)
  })
  await releaseLease(sql, LEASES.sourceChecks, holder).catch(() => undefined)
  await Promise.all([close(compilers), sql.end({ timeout: 1 })])
}

/** Compilers of sources, and the owners whose sources needed more time than `quick` has: `patient` compiles those last. */
interface Compilers {
  readonly quick: Compiler
  readonly patient: Compiler
  readonly deferred: Set<string>
}

async function close(compilers: Compilers | undefined): Promise<void> {
  await Promise.all([compilers?.quick.close(), compilers?.patient.close()])
}

/** Checks sources until none waits, another process does it, or `signal` aborts. */
export async function checkSourcesUntil(
  { db, compiler }: Pick<Services, 'db' | 'compiler'>,
  holder: string,
  signal: AbortSignal,
): Promise<void> {
  const claim = () => claimLease(db.sql, LEASES.sourceChecks, holder, LEASE_SECONDS)
  while (!signal.aborted && (await claim()) && (await checkNextSource(db.sql, compiler)));
  await releaseLease(db.sql, LEASES.sourceChecks, holder)
}

/**
 * Checks the next published source.
 *
 * @returns false when none waits.
 */
export async function checkNextSource(
  sql: postgres.Sql,
  compiler: Compiler,
  { quick = compiler, deferred = new Set() }: Partial<Pick<Compilers, 'quick' | 'deferred'>> = {},
): Promise<boolean> {
  const next = await nextCheck(sql, deferred)
  if (next !== undefined) await check(sql, { quick, patient: compiler, deferred }, next)
  return next !== undefined
}

/**
 * The check that waits longest in the earliest turn, by an index: sources of one account do not delay those of others. Those
 * of deferred owners come last.
 */
async function nextCheck(sql: postgres.Sql, deferred: ReadonlySet<string>): Promise<OpenCheck | undefined> {
  const rest = deferred.size === 0 ? sql`` : sql`and owner <> all(${[...deferred]}::text[])`
  return (await firstOpen(sql, rest)) ?? (deferred.size === 0 ? undefined : firstOpen(sql, sql``))
}

async function firstOpen(
  sql: postgres.Sql,
  condition: postgres.PendingQuery<postgres.Row[]>,
): Promise<OpenCheck | undefined> {
  const [row] = await sql<OpenCheck[]>`
    select next.kind, next.name, next.owner, next.content_hash, next.metadata_hash, e.metadata
    from (
      select kind, name, owner, content_hash, metadata_hash from source_checks where state = 'open' ${condition}
      order by turn, block_number, tx_index, log_index limit 1
    ) next
    left join entities e on e.kind = next.kind and e.name = next.name and e.metadata_hash = next.metadata_hash`
  return row
}

async function check(
  sql: postgres.Sql,
  { quick, patient, deferred }: Compilers,
  next: OpenCheck,
  signal?: AbortSignal,
): Promise<void> {
  const isQuick = quick !== patient && !deferred.has(next.owner)
  const compiler = isQuick ? quick : patient
  const { kind, name, content_hash, metadata_hash } = next
  const source = next.metadata === null ? undefined : parseAuthorMetadata(next.metadata)?.source
  const compile = async () => source && (await compiler.inspect(kind, source, signal))
  // A source that breaks the compiler twice is not verified: it must not hold up the others.
  const outcome = await compile()
    .catch(compile)
    .catch(() => signal?.throwIfAborted())
  if (isQuick && outcome && outcome.status === 'refused' && outcome.limit === 'time') {
    if (deferred.size >= MAX_DEFERRED) deferred.clear()
    deferred.add(next.owner)
    return
  }
  const hash =
    outcome &&
    outcome.status === 'compiled' &&
    codeContentHash(kind, name, outcome.argsCount, outcome.runtime)
  // Another publication may have taken the name in a reorg.
  await sql`
    update source_checks set state = ${hash === content_hash ? 'verified' : 'different'}
    where kind = ${kind} and name = ${name} and content_hash = ${content_hash}
      and metadata_hash = ${metadata_hash} and state = 'open'`
}
