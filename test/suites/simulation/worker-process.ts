import type { Sql } from 'postgres'
import type { ChainAccess } from '#lib/chain/access.ts'
import { chainSource } from '#lib/core/indexer/chain-source.ts'
import { step } from '#lib/core/indexer/follow.ts'
import { openLogRange } from '#lib/core/indexer/request-size.ts'
import { type FeedState, type FollowContext, loadState, type StepOutcome } from '#lib/core/indexer/state.ts'
import { openWriter, type Writer } from '#lib/core/indexer/writer.ts'
import { type Chain, DEPLOYMENT_BLOCK, DEPTHS, REGISTRY } from './chain.ts'
import { connectDatabase, type DatabaseOrder } from './database-connection.ts'
import type { Gates } from './gates.ts'
import type { NodeHabits } from './node.ts'
import { connectNode, type NodeOrder } from './node-connection.ts'

/** Environment of a simulated worker. */
export interface World {
  readonly chain: Chain
  readonly habits: NodeHabits
  readonly gates: Gates
  readonly databaseUrl: string
  readonly admin: Sql
  readonly nowMs: () => number
  /** Called with every error of a worker. */
  readonly onError: (worker: number, error: unknown) => void
  /** Called with publications that a worker could not verify. */
  readonly onUnverified: (names: readonly string[]) => void
}

/** A worker with its memory, its connection to the node and one to the database, all lost when it is killed. */
export interface WorkerProcess {
  readonly id: number
  /** End of its last step; undefined before the first and after an error. */
  outcome(): StepOutcome | undefined
  /** Breaks its connection to the database; resolves when the database has let go of its session. */
  cut(): Promise<void>
  /** Wherever it waits, it goes no further. Resolves when the database has let go of its session. */
  kill(): Promise<void>
  /** After `kill`: resolves when nothing of it is left in this process. */
  readonly gone: () => Promise<void>
}

export async function startProcess(world: World, id: number): Promise<WorkerProcess> {
  const { gates } = world
  gates.join(id)
  const database = await connectDatabase(world.databaseUrl, world.admin, (what) =>
    gates.arrive<DatabaseOrder>({ worker: id, at: 'database', what }),
  )
  const node = connectNode(world.chain, world.habits, (what, requests) =>
    gates.arrive<readonly NodeOrder[]>({ worker: id, at: 'node', what, requests }),
  )
  // At a gate a worker waits for as long as the driver and the machine like; by the clock it would give up there.
  const writer = openWriter(database.url, `simulated-${id}`, { query: 0, transaction: 0 })
  const ctx = followContext(world, node, writer, world.chain.depths)
  let alive = true
  let closing: Promise<void> | undefined
  let outcome: StepOutcome | undefined

  // The loop of `startIndexer` without its clock: a pause is a gate.
  const live = async () => {
    let state: FeedState | undefined
    while (alive) {
      await gates.arrive({ worker: id, at: 'turn', what: '' })
      try {
        if (state === undefined && !(await writer.acquire())) continue
        state ??= await writer.transaction((sql) => loadState(sql, ctx.followed, world.nowMs()))
        outcome = await step(ctx, state)
        state = outcome.state
      } catch (error) {
        if (!alive) return
        state = undefined
        outcome = undefined
        world.onError(id, error)
      }
    }
  }
  // What waits at a gate when the worker is killed waits for ever.
  void live()

  return {
    id,
    outcome: () => outcome,
    cut: () => database.cut(),
    async kill() {
      alive = false
      gates.leave(id)
      await database.close()
      closing = writer.close()
    },
    gone: () => closing ?? Promise.resolve(),
  }
}

/** Dependencies of `step` for one simulated worker. */
export function followContext(
  world: Pick<World, 'nowMs' | 'onUnverified' | 'habits'>,
  node: ChainAccess['public'],
  writer: Writer,
  depths = DEPTHS,
): FollowContext {
  const access: ChainAccess = {
    chainId: 31_337,
    registry: REGISTRY,
    runner: REGISTRY,
    public: node,
    agreed: node,
    direct: node,
    heavy: node,
    nodes: {
      transport: () => node.transport as never,
      probe: async () => {},
      status: () => [],
      logRange: undefined,
      logResults: undefined,
      tags: true,
    },
    verify: async () => {},
  }
  return {
    source: chainSource(
      access,
      { safeDepth: depths.safe, finalizedDepth: depths.finalized },
      { everyMs: world.habits.tagsEvery, nowMs: world.nowMs },
    ),
    writer,
    followed: { chainId: access.chainId, registry: access.registry, deploymentBlock: DEPLOYMENT_BLOCK },
    nowMs: world.nowMs,
    // Depends on the clock, so it would change the history of a seed.
    pause: async () => {},
    onUnverified: world.onUnverified,
    range: openLogRange(),
  }
}
