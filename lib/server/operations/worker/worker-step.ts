import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '#lib/core/context/context.ts'
import { indexUntil } from '#lib/core/indexer/bounded-run.ts'
import { newInstance } from '#lib/core/indexer/heartbeat.ts'
import { checkSourcesUntil } from '#lib/core/indexer/source-checks.ts'
import { collectGarbage, deleteExpired } from '#lib/core/worlds/collect-garbage.ts'
import { collectNextNotices } from '#lib/features/social/collect-notices.ts'
import { deliverDue } from '#lib/features/webhooks/deliver.ts'
import { isSameSecret } from '../../http/secrets.ts'

const DEFAULT_SECONDS = 25
const MAX_SECONDS = 280

/**
 * Answers `/worker/step`: does the worker's work for `?seconds=`, and says what is left. Without CRON_SECRET there is no
 * such address. Safe to call twice and at once.
 */
export async function answerWorkerStep(
  request: Request,
  getServices: () => Promise<Services>,
): Promise<Response> {
  const services = await getServices()
  const { cronSecret } = services.config
  if (cronSecret === undefined)
    return answer(404, { message: 'CRON_SECRET is not set, so there is no such address' })
  if (!isSameSecret(request.headers.get('authorization'), `Bearer ${cronSecret}`)) {
    return answer(
      401,
      { message: 'Send the CRON_SECRET of this server as a bearer token' },
      {
        'WWW-Authenticate': 'Bearer realm="worker"',
      },
    )
  }
  const text = new URL(request.url).searchParams.get('seconds') ?? String(DEFAULT_SECONDS)
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (seconds < 1 || seconds > MAX_SECONDS) {
    return answer(400, { message: `seconds must be a whole number from 1 to ${MAX_SECONDS}` })
  }
  const report = await workerStep(services, seconds * 1000)
  return answer(report.problem === null ? 200 : 503, report)
}

function answer(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(body, {
    status,
    headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers },
  })
}

/** What a step did not do, as `/worker/step` answers it. */
export interface StepReport {
  /** Nothing is left. */
  readonly done: boolean
  /** Another step or a worker was writing, so this one indexed nothing. */
  readonly busy: boolean
  readonly processed_block: number | null
  readonly left: {
    /** Null where the head is not known. */
    readonly blocks: number | null
    readonly webhooks: number
    readonly deltas_without_notices: number
    readonly sources: number
  }
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
    const others = [
      () => deliverDue(services, signal),
      () => collectNotices(services, signal),
      () => checkSourcesUntil(services, newInstance(), signal),
      () => collectFiles(services),
    ]
    for (const part of others) {
      if (signal.aborted) break
      await part().catch((error: unknown) => services.log.warn({ err: error }, 'A part of the step failed'))
    }
    return run
  }
  const run = await Promise.race([parts(), sleep(budgetMs + GRACE_MS, undefined, { ref: false })])
  if (run?.problem !== undefined) services.log.warn({ problem: run.problem }, 'The step indexed nothing')
  const left = await leftOver(services)
  const problem = run?.problem
  return {
    done: problem === undefined && Object.values(left.left).every((count) => count === 0),
    busy: run?.busy === true,
    ...left,
    problem: problem === undefined ? null : { code: problem.code, message: problem.sentence },
    took_ms: Math.round(performance.now() - startedMs),
  }
}

async function collectNotices({ db }: Services, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await collectNextNotices(db)) > 0);
}

async function collectFiles(services: Services): Promise<void> {
  await deleteExpired(services)
  await collectGarbage(services)
}

async function leftOver({ db }: Services): Promise<Pick<StepReport, 'processed_block' | 'left'>> {
  const [row] = await db.sql<
    {
      processed: number | null
      head: number | null
      webhooks: number
      deltas: number
      sources: number
    }[]
  >`
    select s.processed_block::float8 as processed, s.head_block::float8 as head,
      (select count(*)::int from webhook_endpoints w
        where w.state = 'active' and w.position < s.last_stream_seq and w.due_at <= now()) as webhooks,
      greatest(0, s.last_stream_seq - coalesce((select max(stream_seq) from notice_position), s.last_stream_seq))::float8
        as deltas,
      (select count(*)::int from source_checks where state = 'open') as sources
    from (select 1) one left join worker_state s on true`
  const { processed = null, head = null, webhooks = 0, deltas = 0, sources = 0 } = row ?? {}
  const blocks = processed === null || head === null || head < 0 ? null : Math.max(0, head - processed)
  return {
    processed_block: processed,
    left: { blocks, webhooks, deltas_without_notices: deltas ?? 0, sources },
  }
}
