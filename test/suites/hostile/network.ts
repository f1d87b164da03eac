import { randomBytes } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Context, Services } from '#lib/core/context/context.ts'
import { closeServices, createServices } from '#lib/core/context/services.ts'
import { reindex } from '#lib/core/indexer/reindex/reindex.ts'
import { createChainDispatcher } from '#lib/server/operations/chain/dispatcher.ts'
import { rpc } from '#scripts/stack/anvil.ts'
import { type Child, startChild } from '#scripts/stack/child.ts'
import type { TestChain } from '#test/support/chain.ts'
import { chainConfig, chainEnvironment } from '#test/support/chain-config.ts'
import { testConfig } from '#test/support/config.ts'
import type { TestDatabase } from '#test/support/database.ts'
import { PROBE_PREFIX, type ProbeReport } from './probe.ts'

/** `safe` is this many blocks behind the head, `finalized` twice as many: no program reorganises more. */
export const SLOTS_IN_AN_EPOCH = 8
const RPC_TIMEOUT_MS = 120_000
const START_TIMEOUT_MS = 60_000
/** As on public nodes: without it one call of a body that never ends blocks a development chain for minutes. */
const EXECUTE_GAS = 50_000_000n
/** Bodies that never end are stopped by it, one after another. */
const SIMULATE_TIMEOUT_MS = 3_000

/** As `npm run worker` has it: without it a block of 16 MB of calldata leaves 200 MB of young objects lying about. */
const WORKER_FLAGS = ['--max-semi-space-size=8']

/** A worker process, and what its probe reported since it was ready. */
export interface WorkerProcess {
  readonly child: Child
  readonly reports: ProbeReport[]
  /** Warnings and errors of its log. */
  readonly complaints: string[]
}

export type HostileNetwork = Awaited<ReturnType<typeof startHostileNetwork>>

/**
 * The whole network: a chain, a database, workers as processes, and the API's handlers in this process. It closes chain
 * and database.
 */
export async function startHostileNetwork(chain: TestChain, db: TestDatabase) {
  await recordHeartbeats(db)
  const control = new Worker(new URL('./control.ts', import.meta.url), { workerData: db.url })
  const base = testConfig()
  const own = await createServices({
    ...base,
    databaseUrl: db.url,
    ...chainConfig(chain),
    simulate: { ...base.simulate, timeoutMs: SIMULATE_TIMEOUT_MS },
    execute: { ...base.execute, gasLimit: EXECUTE_GAS },
    maxDraftsPerOwner: 100_000,
  })
  const services: Services = { ...own, db }
  const dispatch = createChainDispatcher({ services: async () => services, validateResponses: true })
  const workers: WorkerProcess[] = []
  const call = (method: string, params: readonly unknown[] = []) =>
    rpc(chain.url, method, params, RPC_TIMEOUT_MS)
  await call('evm_setAutomine', [false])
  await call('anvil_autoImpersonateAccount', [true])
  // Finality is behind whatever is reorganised.
  await call('anvil_mine', [`0x${(4 * SLOTS_IN_AN_EPOCH).toString(16)}`])

  return {
    chain,
    db,
    services,
    workers,
    rpc: call,
    /** A context for the functions that pages read by. */
    context: (): Context => ({
      ...services,
      requestId: randomBytes(8).toString('hex'),
      caller: undefined,
      session: undefined,
      signal: AbortSignal.timeout(60_000),
    }),
    fetch: dispatch,
    async startWorker() {
      workers.push(await startWorkerProcess(chain, db))
    },
    async stopWorkers(signal: NodeJS.Signals) {
      await Promise.all(workers.splice(0).map(({ child }) => child.stop(signal)))
    },
    reindex: () => reindex(services, { replace: false }),
    async close() {
      await Promise.all(workers.splice(0).map(({ child }) => child.stop('SIGKILL')))
      await control.terminate()
      await closeServices(own)
      await Promise.all([db.close(), chain.close()])
    },
  }
}

/** Has the database record the time of every heartbeat, so that none is missed however busy this process is. */
async function recordHeartbeats({ sql }: TestDatabase): Promise<void> {
  await sql.unsafe(`
    create table beats (instance text not null, at timestamptz not null);
    create function record_beat() returns trigger language plpgsql as $$
    begin
      insert into beats values (new.instance, clock_timestamp());
      return null;
    end $$;
    create trigger record_beat after insert or update of heartbeat_at on worker_instances
      for each row execute function record_beat();`)
}

async function startWorkerProcess(chain: TestChain, db: TestDatabase): Promise<WorkerProcess> {
  const reports: ProbeReport[] = []
  const complaints: string[] = []
  let ready = false
  const onLine = (line: string): void => {
    if (line.startsWith(PROBE_PREFIX)) {
      if (ready) reports.push(JSON.parse(line.slice(PROBE_PREFIX.length)) as ProbeReport)
    } else if (/"level":(40|50|60)/.test(line) || !line.startsWith('{')) complaints.push(line.slice(0, 4_000))
  }
  const probe = pathToFileURL(`${import.meta.dirname}/probe.ts`).href
  const args = [...WORKER_FLAGS, '--import', probe, 'worker/main.ts']
  const child = await startChild(process.execPath, args, {
    name: 'worker',
    onLine,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_ENV: 'production',
      HOSTILE_PROBE: '1',
      ...chainEnvironment(chain, db.url),
      CHAIN_WS_URL: chain.url.replace(/^http/, 'ws'),
      LOG_LEVEL: 'info',
      WORKER_POLL_MS: '100',
    },
  })
  const giveUp = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const [row] = await db.sql`select 1 from worker_instances where instance like ${`%:${child.pid}:%`}`
    if (row !== undefined) break
    if (Date.now() > giveUp) throw new Error(`The worker did not start:\n${child.tail()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  ready = true
  return { child, reports, complaints }
}
