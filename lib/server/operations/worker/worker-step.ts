import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Context, Services } from '#lib/core/context/context.ts'
import { indexUntil } from '#lib/core/indexer/bounded-run.ts'
import { currentRequest, outsideRequests } from '#lib/platform/telemetry/request-scope.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { createDispatcher, type Dispatcher, type DispatcherOptions } from '../../http/dispatch.ts'
import { chainErrors } from '../../http/errors.ts'
import { defineOperation } from '../../http/operation.ts'
import { isSameSecret } from '../../http/secrets.ts'
import { allJobs } from './jobs.ts'

const DEFAULT_SECONDS = 25
const MAX_SECONDS = 280

const FACTS = {
  api: 'site',
  path: '/worker/step',
  tag: 'worker',
  summary: "Do the worker's work for some seconds",
  description: 'Answers what is left. Safe to call twice and at once.',
  auth: 'none',
  cors: 'none',
  challenge: 'Bearer realm="worker"',
  request: { query: z.object({ seconds: z.string().optional() }) },
  responses: {
    200: { description: 'What is left', schema: z.looseObject({}) },
    503: { description: 'Nothing was indexed, and why', schema: z.looseObject({}) },
  },
  cache: 'no-store',
} as const

async function takeStep(
  ctx: Context,
  { query }: { readonly query: { readonly seconds?: string | undefined } },
) {
  const text = query.seconds ?? String(DEFAULT_SECONDS)
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (seconds < 1 || seconds > MAX_SECONDS)
    throw new Failure('invalid_request', `seconds must be a whole number from 1 to ${MAX_SECONDS}`)
  // It takes longer than a place may be held, and is no work of the client that asks for it.
  currentRequest()?.leavePlace?.()
  const report = await outsideRequests(() => workerStep(ctx, seconds * 1000))
  return { status: report.problem === null ? 200 : 503, body: { ...report } } as const
}

/** GET too: the cron of some platforms sends nothing else. */
const OPERATIONS = [
  defineOperation({ ...FACTS, id: 'POST_workerStep', handler: takeStep }),
  defineOperation({ ...FACTS, id: 'GET_workerStep', handler: takeStep }),
]

/** Answers `/worker/step`; without CRON_SECRET there is no such address. */
export function createWorkerDispatcher(options: Pick<DispatcherOptions, 'services'>): Dispatcher {
  return createDispatcher(OPERATIONS, {
    ...options,
    base: '',
    errors: chainErrors,
    admit: ({ headers }, { config: { cronSecret } }) => {
      if (cronSecret === undefined)
        throw new Failure('not_found', 'CRON_SECRET is not set, so there is no such address')
      if (!isSameSecret(headers.get('authorization'), `Bearer ${cronSecret}`))
        throw new Failure('unauthenticated', 'Send the CRON_SECRET of this server as a bearer token')
    },
    authenticate: () => Promise.reject(new Error('A step is of no account')),
  })
}

/** Work that a step left, as `/worker/step` answers it. */
export interface StepReport {
  /** Nothing is left. */
  readonly done: boolean
  /** Another step or a worker was writing, so this one indexed nothing. */
  readonly busy: boolean
  readonly processed_block: number | null
  /** Blocks, null where the head is not known, and what each job has left. */
  readonly left: Readonly<Record<string, number | null>>
  readonly problem: { readonly code: string; readonly message: string } | null
  readonly took_ms: number
}

/** Time for the part under way to end once the budget is used up. */
const GRACE_MS = 2_000

/**
 * Does what the worker process does, for `budgetMs`: indexes, delivers webhooks, writes notices, checks sources and deletes
 * unused files. Each part is one process's at a time by a lease or a lock in the database; a part that is cut off by the end
 * of the function is repeated by a later step.
 */
async function workerStep(services: Services, budgetMs: number): Promise<StepReport> {
  const startedMs = performance.now()
  const signal = AbortSignal.timeout(budgetMs)
  const parts = async () => {
    const run = await indexUntil(services, signal)
    for (const job of allJobs) {
      if (signal.aborted) break
      const onFailure = (error: unknown) =>
        services.log.warn({ err: error, job: job.name }, 'A job of the step failed')
      await job.runDue(services, signal).catch(onFailure)
    }
    return run
  }
  const run = await Promise.race([parts(), sleep(budgetMs + GRACE_MS, undefined, { ref: false })])
  if (run?.problem !== undefined) services.log.warn({ problem: run.problem }, 'The step indexed nothing')
  const backlog = await leftOver(services)
  const problem = run?.problem
  return {
    done: problem === undefined && Object.values(backlog.left).every((count) => count === 0),
    busy: run?.busy === true,
    ...backlog,
    problem: problem === undefined ? null : { code: problem.code, message: problem.sentence },
    took_ms: Math.round(performance.now() - startedMs),
  }
}

async function leftOver({ db }: Services): Promise<Pick<StepReport, 'processed_block' | 'left'>> {
  const [row] = await db.sql<{ processed: number | null; head: number | null }[]>`
    select processed_block::float8 as processed, head_block::float8 as head from worker_state`
  const { processed = null, head = null } = row ?? {}
  const backlog: Record<string, number | null> = {
    blocks: processed === null || head === null || head < 0 ? null : Math.max(0, head - processed),
  }
  for (const job of allJobs)
    if (job.backlog !== undefined) backlog[job.backlog.name] = await job.backlog.count(db)
  return { processed_block: processed, left: backlog }
}
