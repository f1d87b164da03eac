import type { FeedStatus } from '#lib/core/feed/read-status.ts'
import { readStatus, type Status, type StatusServices } from './read-status.ts'

/** Result of one readiness check. */
export interface Check {
  readonly name: 'configuration' | 'database' | 'migrations' | 'projection' | 'chain'
  readonly ok: boolean
  /** Whether the process is not ready while the check fails. */
  readonly required: boolean
  readonly sentence: string
  /** Advice to the operator; absent when the check passed. */
  readonly fix?: string
}

export interface Readiness {
  readonly ready: boolean
  readonly checks: readonly Check[]
}

/** Readiness of a process whose configuration is invalid. */
export const UNCONFIGURED: Readiness = {
  ready: false,
  checks: [
    {
      name: 'configuration',
      ok: false,
      required: true,
      sentence: 'The configuration is not usable.',
      fix: 'The log names every bad variable and its fix.',
    },
  ],
}

/**
 * Checks whether this process should receive requests.
 *
 * Required: the database answers, its schema is current, and the lag is at most `READY_LAG_LIMIT_SECONDS`. Not
 * required: the chain. Without its node, or while indexing is frozen, indexed data is still served, and the lag is
 * unknown.
 */
export async function checkReadiness(ctx: StatusServices): Promise<Readiness> {
  const checks = judge(await readStatus(ctx), ctx.config.readyLagLimitSeconds)
  return { ready: checks.every(({ ok, required }) => ok || !required), checks }
}

function judge(status: Status, lagLimitSeconds: number): Check[] {
  const { feed, pendingMigrations, degraded } = status
  if (pendingMigrations === null) return [failed('database', degraded[0])]
  const database = passed('database', 'The database answers.')
  if (feed === null) return [database, failed('migrations', degraded[0])]
  return [
    database,
    passed('migrations', 'The schema of the database is current.'),
    checkProjection(feed, lagLimitSeconds),
    checkChain(feed),
  ]
}

/** Problems of the chain, in which the lag is unknown or intended. */
const CHAIN_REASONS: readonly string[] = [
  'no_chain',
  'node_unavailable',
  'wrong_chain',
  'node_behind',
  'beyond_finality',
]
const PROJECTION_REASONS: readonly string[] = ['other_registry', 'not_started']

function checkProjection(feed: FeedStatus, limitSeconds: number): Check {
  const wrong = feed.degraded.find(({ code }) => PROJECTION_REASONS.includes(code))
  if (wrong) return failed('projection', wrong)
  const { lagSeconds } = feed
  if (feed.degraded.some(({ code }) => CHAIN_REASONS.includes(code))) {
    return passed('projection', 'Everything that was indexed is served.')
  }
  if (lagSeconds !== null && lagSeconds > limitSeconds) {
    return failed('projection', {
      sentence: `The projection is ${lagSeconds} seconds behind the chain; the limit is ${limitSeconds}.`,
      fix: 'Wait until the worker has caught up; if none runs, start one with npm run worker (npm start includes it).',
    })
  }
  return passed('projection', `The projection is ${lagSeconds ?? 0} seconds behind the chain.`)
}

function checkChain(feed: FeedStatus): Check {
  const wrong = feed.degraded.find(({ code }) => CHAIN_REASONS.includes(code))
  if (wrong === undefined) return { ...passed('chain', 'The chain endpoint answers.'), required: false }
  return { ...failed('chain', wrong), required: false }
}

function passed(name: Check['name'], sentence: string): Check {
  return {
    name,
    ok: true,
    required: true,
    sentence,
  }
}

function failed(
  name: Check['name'],
  reason: { readonly sentence: string; readonly fix: string } | undefined,
): Check {
  return {
    name,
    ok: false,
    required: true,
    sentence: reason?.sentence ?? `The check of the ${name} failed.`,
    fix: reason?.fix ?? 'Check the log.',
  }
}
