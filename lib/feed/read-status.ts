import type { Services } from '../context.ts'
import { type DegradedReason, degradedReasons, type FeedFacts } from './degraded.ts'
import { type NodeView, viewNode } from './node-view.ts'
import { lockHolder } from './writer-lock.ts'

export type { DegradedReason } from './degraded.ts'

/** How far the feed is, and whether to trust that it goes on. Heights are block numbers. */
export interface FeedStatus {
  readonly chainId: number | null
  /** Newest block the node has, or the newest it ever showed while it does not answer. */
  readonly head: number | null
  /** Newest block whose events can be read here. */
  readonly processed: number | null
  readonly safe: number | null
  readonly finalized: number | null
  /** Blocks of the node that are not in the tables. */
  readonly lagBlocks: number | null
  /**
   * Seconds since the oldest block that is not in the tables came into being; 0 when there is none. While the node
   * does not answer: seconds since a worker last heard from it.
   */
  readonly lagSeconds: number | null
  readonly writer: {
    readonly instance: string
    /** Unix milliseconds since when it is the writer. */
    readonly sinceMs: number
    readonly heartbeatAgoMs: number
  } | null
  /** Living workers that wait to take over. */
  readonly standbys: number
  readonly reorganisations: {
    readonly count: number
    readonly deepest: number
    readonly last: { readonly depth: number; readonly atMs: number } | null
  }
  /** Number of the newest delta; 0 before the first. */
  readonly lastStreamSeq: number
  /** Oldest delta still kept; null when none is. */
  readonly oldestStreamSeq: number | null
  /** Empty when all is well. */
  readonly degraded: readonly DegradedReason[]
}

type StatusServices = Pick<Services, 'db' | 'config' | 'clock' | 'chain'>

/** A worker that said nothing for this long is gone or stuck. */
export const HEARTBEAT_LIMIT_MS = 10_000

/**
 * Compares what is in the tables with what the node has. Costs two small queries, and a question to the node at most
 * once a second.
 *
 * @throws Error when the database does not answer.
 */
export const readFeedStatus = async (ctx: StatusServices): Promise<FeedStatus> => {
  const { chain, config, clock, db } = ctx
  const [[state], instances, [outbox]] = await Promise.all([
    db.sql<StateRow[]>`select * from worker_state where id = 1`,
    db.sql<InstanceRow[]>`
      select instance, role_since_ms, backend_pid in (${lockHolder(db.sql)}) as holds, head_seen_at_ms, problem_code, problem,
        (extract(epoch from clock_timestamp() - heartbeat_at) * 1000)::bigint as age_ms
      from worker_instances order by heartbeat_at desc`,
    db.sql<{ oldest: string | null }[]>`select min(stream_seq) as oldest from feed_outbox`,
  ])
  const processed = height(state?.processed_block)
  const answered = chain && (await viewNode(chain, processed))
  const other = otherChain(answered, config.chainId ?? (state && Number(state.chain_id)))
  // Heights of another chain say nothing about this one.
  const view = other === undefined ? answered : undefined
  const living = instances.filter(({ age_ms }) => Number(age_ms) <= HEARTBEAT_LIMIT_MS)
  const writer = living.find(({ holds }) => holds === true)
  const head = view?.head ?? height(state?.head_block)
  const lagBlocks = head === null || processed === null ? null : Math.max(0, head - processed)
  const lagSeconds = secondsBehind(view, state, instances, clock().getTime())

  return {
    chainId: state ? Number(state.chain_id) : (config.chainId ?? null),
    head,
    processed,
    safe: height(state?.safe_block),
    finalized: height(state?.finalized_block),
    lagBlocks,
    lagSeconds,
    writer: writer
      ? {
          instance: writer.instance,
          sinceMs: Number(writer.role_since_ms),
          heartbeatAgoMs: Math.max(0, Number(writer.age_ms)),
        }
      : null,
    standbys: living.filter(({ holds }) => holds !== true).length,
    reorganisations: {
      count: state?.reorg_count ?? 0,
      deepest: state?.reorg_deepest ?? 0,
      last:
        state?.reorg_last_at_ms != null && state.reorg_last_depth !== null
          ? { depth: state.reorg_last_depth, atMs: Number(state.reorg_last_at_ms) }
          : null,
    },
    lastStreamSeq: Number(state?.last_stream_seq ?? 0),
    oldestStreamSeq: outbox?.oldest == null ? null : Number(outbox.oldest),
    degraded: degradedReasons({
      configured: chain !== undefined,
      nodeAnswers: answered !== undefined,
      otherChain: other,
      followsConfigured: state === undefined || chain === undefined || state.registry === chain.registry,
      started: state !== undefined,
      hasWriter: writer !== undefined,
      writerProblem: problemOf(writer),
      frozenReason: state?.frozen_reason ?? undefined,
      lagBlocks,
      lagSeconds,
      lagLimitSeconds: config.worker.lagLimitSeconds,
      nodeBehind: view !== undefined && processed !== null && view.head < processed,
    }),
  }
}

const otherChain = (view: NodeView | undefined, wanted: number | undefined): FeedFacts['otherChain'] =>
  view === undefined || wanted === undefined || view.chainId === wanted
    ? undefined
    : { served: view.chainId, wanted }

interface StateRow {
  readonly chain_id: string
  readonly registry: string
  readonly processed_block: string
  readonly head_block: string
  readonly safe_block: string
  readonly finalized_block: string
  readonly last_stream_seq: string
  readonly reorg_count: number
  readonly reorg_deepest: number
  readonly reorg_last_depth: number | null
  readonly reorg_last_at_ms: string | null
  readonly frozen_reason: string | null
  readonly updated_at_ms: string
}

interface InstanceRow {
  readonly instance: string
  /** It has the writer lock, whatever it believes itself. */
  readonly holds: boolean | null
  readonly role_since_ms: string
  readonly head_seen_at_ms: string | null
  readonly problem_code: string | null
  readonly problem: string | null
  readonly age_ms: string
}

const secondsBehind = (
  view: NodeView | undefined,
  state: StateRow | undefined,
  instances: readonly InstanceRow[],
  nowMs: number,
): number | null => {
  if (state === undefined) return null
  if (view !== undefined) {
    const { nextBlockMs } = view
    return nextBlockMs === undefined ? 0 : wholeSeconds(nowMs - nextBlockMs)
  }
  const seen = instances.flatMap(({ head_seen_at_ms }) => (head_seen_at_ms ? [Number(head_seen_at_ms)] : []))
  return wholeSeconds(nowMs - Math.max(Number(state.updated_at_ms), ...seen))
}

const problemOf = (row: InstanceRow | undefined): { code: string; sentence: string } | undefined =>
  row?.problem_code && row.problem ? { code: row.problem_code, sentence: row.problem } : undefined

/** Development chains run ahead of the clock: no block is younger than now. */
const wholeSeconds = (ms: number): number => Math.max(0, Math.round(ms / 1000))

const height = (value: string | undefined): number | null =>
  value === undefined || Number(value) < 0 ? null : Number(value)
