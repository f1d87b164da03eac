import { numberToHex, withTimeout } from 'viem'
import type { ChainAccess } from '#lib/chain/access.ts'
import type { Config } from '#lib/platform/config.ts'
import { writerLockHolder } from '#lib/platform/db/advisory-locks.ts'
import type { Database } from '#lib/platform/db/client.ts'
import { LEASES } from '#lib/platform/db/leases.ts'
import { type DegradedReason, degradedReasons, type FeedFacts } from './degraded.ts'

export type { DegradedReason } from './degraded.ts'

/** Progress and health of the feed. Heights are block numbers. */
export interface FeedStatus {
  readonly chainId: number | null
  /** Newest block of the node, or the newest one seen while it does not answer. */
  readonly head: number | null
  /** Newest block whose events can be read here. */
  readonly processed: number | null
  readonly safe: number | null
  readonly finalized: number | null
  /** Blocks of the node that are not indexed. */
  readonly lagBlocks: number | null
  /**
   * Age in seconds of the oldest block that is not indexed; 0 when there is none. While the node does not answer:
   * seconds since its last answer to a worker.
   */
  readonly lagSeconds: number | null
  readonly writer: {
    readonly instance: string
    /** Unix milliseconds since which it is the writer. */
    readonly sinceMs: number
    readonly heartbeatAgoMs: number
  } | null
  /** Live standby workers. */
  readonly standbys: number
  readonly reorganisations: {
    readonly count: number
    readonly deepest: number
    readonly last: { readonly depth: number; readonly atMs: number } | null
  }
  /** Number of the newest delta; 0 before the first. */
  readonly lastStreamSeq: number
  /** Oldest retained delta; null when none is. */
  readonly oldestStreamSeq: number | null
  /** Empty when all is well. */
  readonly degraded: readonly DegradedReason[]
}

interface StatusServices {
  readonly db: Database
  readonly config: Config
  readonly clock: () => Date
  readonly chain: ChainAccess | undefined
}

/** A worker without a heartbeat for this long is gone or stuck. */
export const HEARTBEAT_LIMIT_MS = 10_000
/** The row of bounded runs, which a platform's cron starts each minute or so. */
export const CRON_INSTANCE = 'cron'
/** Three runs that did not come. */
const CRON_LIMIT_MS = 190_000

/**
 * Compares the tables with the node. Costs three small queries, and a request to the node at most once a second.
 *
 * @throws Error when the database does not answer.
 */
export async function readFeedStatus(ctx: StatusServices): Promise<FeedStatus> {
  const { chain, config, clock, db } = ctx
  const [[state], instances, [outbox]] = await Promise.all([
    db.sql<StateRow[]>`select * from worker_state where id = 1`,
    db.sql<InstanceRow[]>`
      select instance, role_since_ms, head_seen_at_ms, problem_code, problem,
        coalesce(backend_pid in (${writerLockHolder(db.sql)}), false) or instance in (
          select holder from leases where name = ${LEASES.writer} and expires_at > clock_timestamp()) as holds,
        (extract(epoch from clock_timestamp() - heartbeat_at) * 1000)::bigint as age_ms
      from worker_instances order by heartbeat_at desc`,
    db.sql<{ oldest: string | null }[]>`select min(stream_seq) as oldest from feed_outbox`,
  ])
  const processed = height(state?.processed_block)
  const answered = chain && (await viewNode(chain, processed))
  const other = otherChain(answered, config.chainId ?? (state && Number(state.chain_id)))
  // Heights of another chain do not apply.
  const view = other === undefined ? answered : undefined
  const [cron, ...workers] = cronFirst(instances)
  const living = workers.filter(({ age_ms }) => Number(age_ms) <= HEARTBEAT_LIMIT_MS)
  const writer =
    living.find(({ holds }) => holds === true) ??
    (cron !== undefined && Number(cron.age_ms) <= CRON_LIMIT_MS ? cron : undefined)
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

function cronFirst(instances: readonly InstanceRow[]): [InstanceRow | undefined, ...InstanceRow[]] {
  const isCron = ({ instance }: InstanceRow) => instance === CRON_INSTANCE
  return [instances.find(isCron), ...instances.filter((each) => !isCron(each))]
}

function otherChain(view: NodeView | undefined, configured: number | undefined): FeedFacts['otherChain'] {
  return view === undefined || configured === undefined || view.chainId === configured
    ? undefined
    : { served: view.chainId, configured }
}

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
  /** Whether its session holds the writer lock. */
  readonly holds: boolean | null
  readonly role_since_ms: string
  readonly head_seen_at_ms: string | null
  readonly problem_code: string | null
  readonly problem: string | null
  readonly age_ms: string
}

function secondsBehind(
  view: NodeView | undefined,
  state: StateRow | undefined,
  instances: readonly InstanceRow[],
  nowMs: number,
): number | null {
  if (state === undefined) return null
  if (view !== undefined) {
    const { nextBlockMs } = view
    return nextBlockMs === undefined ? 0 : wholeSeconds(nowMs - nextBlockMs)
  }
  const headTimesMs = instances.flatMap(({ head_seen_at_ms }) =>
    head_seen_at_ms ? [Number(head_seen_at_ms)] : [],
  )
  return wholeSeconds(nowMs - Math.max(Number(state.updated_at_ms), ...headTimesMs))
}

function problemOf(row: InstanceRow | undefined): { code: string; sentence: string } | undefined {
  return row?.problem_code && row.problem ? { code: row.problem_code, sentence: row.problem } : undefined
}

/** Never negative: development chains run ahead of the clock. */
function wholeSeconds(ms: number): number {
  return Math.max(0, Math.round(ms / 1000))
}

function height(value: string | undefined): number | null {
  return value === undefined || Number(value) < 0 ? null : Number(value)
}

/** Heads of the node. */
interface NodeView {
  readonly chainId: number
  readonly head: number
  /** Unix milliseconds of the first block after the processed one; undefined when there is none. */
  readonly nextBlockMs: number | undefined
}

const NODE_TTL_MS = 1_000
const NODE_TIMEOUT_MS = 2_000

interface CachedView {
  readonly processed: number | null
  readonly atMs: number
  readonly view: Promise<NodeView | undefined>
}

const cachedViews = new WeakMap<ChainAccess, CachedView>()

/** Reads the node's head, at most once a second. @returns undefined when the node does not answer in two seconds. */
function viewNode(chain: ChainAccess, processed: number | null): Promise<NodeView | undefined> {
  const cached = cachedViews.get(chain)
  const atMs = performance.now()
  if (cached && cached.processed === processed && atMs - cached.atMs < NODE_TTL_MS) return cached.view
  const view = withTimeout(() => fetchView(chain, processed), { timeout: NODE_TIMEOUT_MS }).catch(
    () => undefined,
  )
  cachedViews.set(chain, { processed, atMs, view })
  return view
}

async function fetchView({ public: client }: ChainAccess, processed: number | null): Promise<NodeView> {
  // One JSON-RPC batch, so that the answers belong together.
  const [chainId, latest, next] = await Promise.all([
    client.request({ method: 'eth_chainId' }),
    client.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }),
    processed === null
      ? null
      : client.request({ method: 'eth_getBlockByNumber', params: [numberToHex(processed + 1), false] }),
  ])
  if (latest?.number == null) throw new Error('the node has no latest block')
  return {
    chainId: Number(chainId),
    head: Number(latest.number),
    nextBlockMs: next ? Number(next.timestamp) * 1000 : undefined,
  }
}
