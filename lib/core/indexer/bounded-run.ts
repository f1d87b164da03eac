import type { Database } from '#lib/platform/db/client.ts'
import { step } from './follow.ts'
import { newInstance, recordCronRun } from './heartbeat.ts'
import { openLeaseWriter } from './lease-writer.ts'
import { type IndexerServices, openFollow } from './open-follow.ts'
import { pruneOutbox } from './outbox.ts'
import { beyondFinality, NO_CHAIN, NODE_BEHIND, nodesDisagree, type Problem, problemOf } from './problems.ts'
import { type FeedState, loadState, type StepOutcome } from './state.ts'
import { WriterLockLost } from './writer-lock.ts'

/** Result of one bounded run of the indexer. */
export interface BoundedRun {
  /** Another process, or a worker, writes at this moment. */
  readonly busy: boolean
  /** Undefined where it is busy or could not begin. */
  readonly state: FeedState | undefined
  readonly problem: Problem | undefined
}

/**
 * Indexes until the head is reached or `signal` aborts, with a lease instead of a session's lock. Safe to run at any time in
 * any number of processes: one of them writes. Never throws.
 */
export async function indexUntil(
  services: IndexerServices & { readonly db: Database },
  signal: AbortSignal,
): Promise<BoundedRun> {
  const { db, chain, config, log } = services
  const holder = newInstance()
  const writer = openLeaseWriter(config.databaseUrl, { holder, worker: false })
  let state: FeedState | undefined
  let problem: Problem | undefined
  try {
    if (!(await writer.acquire())) return { busy: true, state, problem }
    if (chain === undefined) problem = NO_CHAIN
    else {
      await chain.verify()
      await chain.nodes.probe(chain.registry)
      const follow = openFollow(services, chain, writer)
      state = await writer.transaction((sql) => loadState(sql, follow.followed, follow.nowMs()))
      let outcome: StepOutcome | undefined
      while (!signal.aborted && (outcome === undefined || goesOn(outcome))) {
        outcome = await step(follow, state)
        state = outcome.state
      }
      if (outcome?.kind === 'frozen') problem = beyondFinality(outcome.reason)
      if (outcome?.kind === 'behind') problem = NODE_BEHIND
      const { outboxRetentionDays: retentionDays } = config.worker
      const nowMs = follow.nowMs()
      if (!signal.aborted) await writer.transaction((sql) => pruneOutbox(sql, { retentionDays, nowMs }))
    }
  } catch (error) {
    if (error instanceof WriterLockLost) return { busy: true, state, problem }
    problem = problemOf(error)
    log.warn({ err: error }, 'Failed to index blocks')
  } finally {
    await writer.close()
  }
  await recordCronRun(db.sql, problem ?? (chain && nodesDisagree(chain.nodes))).catch(() => undefined)
  return { busy: false, state, problem }
}

function goesOn({ kind }: StepOutcome): boolean {
  return kind === 'more' || kind === 'rolled back'
}
