import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, createWriteStream, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { createPublicClient, createWalletClient, http } from 'viem'
import { connectChain } from '#lib/chain/access.ts'
import { deployContracts } from '#lib/chain/deploy.ts'
import { reindex } from '#lib/core/indexer/reindex/reindex.ts'
import { readConfig } from '#lib/features/config.ts'
import { reconnectDelay } from '#lib/platform/db/connect.ts'
import { migrate } from '#lib/platform/db/migrate.ts'
import { rpc, startAnvil } from '#scripts/stack/anvil.ts'
import { type Child, startChild } from '#scripts/stack/child.ts'
import { devAccount } from '#scripts/stack/contracts.ts'
import { devChain } from '#scripts/stack/dev-chain.ts'
import { anyFreePort } from '#scripts/stack/ports.ts'
import { startPostgres } from '#scripts/stack/postgres.ts'
import { startAudit } from '#test/suites/simulation/audit.ts'
import { startTcpProxy } from './tcp-proxy.ts'

/** For hangs: a busy machine takes its time to start four processes. */
const HEALTHY_TIMEOUT_MS = 120_000
/** A process that ends sooner could not start, which is allowed during a fault. */
const STARTING_MS = 30_000
const DISK_MIB = 900
const PASSWORD = 'chaos'

/** Mounts a small file system in memory that can be filled; undefined without the privilege to mount. */
function mountDisk(folder: string) {
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=755`, 'tmpfs', folder], {
      stdio: 'pipe',
    })
  } catch {
    return undefined
  }
  const ballast = join(folder, 'ballast')
  return {
    /** Leaves less than one page of a table. */
    fill() {
      const { bavail, bsize } = statfsSync(folder)
      const chunk = new Uint8Array(2 ** 20)
      try {
        for (let left = bavail * bsize - 4_096; left > 0; left -= chunk.byteLength) {
          writeFileSync(ballast, chunk.subarray(0, Math.min(left, chunk.byteLength)), { flag: 'a' })
        }
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      }
    },
    free: () => rmSync(ballast, { force: true }),
    unmount: () => execFileSync('umount', [folder], { stdio: 'pipe' }),
  }
}

/** Expectations of the caller, and its hooks. */
export interface Watch {
  /** A fault is active, so that a process may fail to start. */
  faulty: boolean
  violation(what: string): void
}

/** Supervises a process: restarts it whenever it ended. */
export class Part {
  child: Child | undefined
  /** The end of the process is intended. */
  expected = false
  #held = Promise.withResolvers<void>()
  #running = Promise.withResolvers<void>()
  #stopping = false
  readonly #supervising: Promise<void>

  constructor(name: string, watch: Watch, start: () => Promise<Child>) {
    this.#held.resolve()
    this.#supervising = this.#supervise(name, watch, start)
  }

  async #supervise(name: string, watch: Watch, start: () => Promise<Child>): Promise<void> {
    for (;;) {
      await this.#held.promise
      if (this.#stopping) return
      this.expected = false
      const since = Date.now()
      try {
        this.child = await start()
        this.#running.resolve()
        const { code, signal } = await this.child.exited
        const excused = this.expected || (watch.faulty && Date.now() - since < STARTING_MS)
        if (!excused) watch.violation(`${name} ended by itself (${signal ?? code}):\n${this.child.tail()}`)
      } catch (error) {
        if (!watch.faulty && !this.expected) watch.violation(`${name}: ${String(error)}`)
      }
      this.child = undefined
      this.#running = Promise.withResolvers()
      await sleep(250)
    }
  }

  up = (): Promise<void> => this.#running.promise

  /** Ends the process and prevents its restart until `release`. */
  async hold(signal: NodeJS.Signals): Promise<void> {
    this.expected = true
    this.#held = Promise.withResolvers()
    await this.child?.stop(signal)
  }

  release = (): void => this.#held.resolve()

  async stop(): Promise<void> {
    this.#stopping = true
    this.expected = true
    this.#held.resolve()
    await this.child?.stop('SIGTERM', 3_000)
    await this.#supervising
  }
}

function logTo(folder: string, name: string, watch: Watch): (line: string) => void {
  const file = createWriteStream(join(folder, `${name}.log`))
  return (line) => {
    file.write(`${new Date().toISOString()} ${line}\n`)
    if (/unhandled|uncaught/i.test(line)) watch.violation(`${name} says: ${line.slice(0, 600)}`)
  }
}

/** Starts two sites and two workers as processes, with proxies between them and their database and chain. */
export async function startProcesses(folder: string, watch: Watch) {
  chmodSync(folder, 0o755)
  const disk = mountDisk(join(folder, 'disk'))
  const port = await anyFreePort()
  const databaseLog = logTo(folder, 'database', watch)
  const database = new Part('database', watch, async () => {
    // fsync off: a killed process loses nothing that the operating system has.
    const settings = ['fsync=off', 'max_wal_size=96MB', 'min_wal_size=32MB']
    const dataDir = join(folder, 'disk', 'postgres')
    return (await startPostgres({ dataDir, port, password: PASSWORD, settings, onLine: databaseLog })).child
  })
  const anvil = await startAnvil({
    port: await anyFreePort(),
    slotsInAnEpoch: 8,
    onLine: logTo(folder, 'chain', watch),
  })
  const transport = http(anvil.url)
  const account = devAccount(9)
  const contracts = await deployContracts({
    account,
    walletClient: createWalletClient({ chain: devChain, transport, account }),
    publicClient: createPublicClient({ chain: devChain, transport, pollingInterval: 20 }),
  })
  await database.up()
  const direct = `postgres://weft:${PASSWORD}@127.0.0.1:${port}/weft`
  await migrate(direct)
  const sql = postgres(direct, { max: 1, backoff: reconnectDelay, onnotice: () => {} })
  await startAudit(sql)
  const [databaseWire, chainWire] = await Promise.all(
    [port, Number(new URL(anvil.url).port)].map(startTcpProxy),
  )
  if (databaseWire === undefined || chainWire === undefined) throw new Error('no proxies')
  const ports = [await anyFreePort(), await anyFreePort()]
  const sites = ports.map((each) => `http://localhost:${each}`)
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: 'production',
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    NEXT_TELEMETRY_DISABLED: '1',
    SITE_ORIGIN: sites[0] ?? '',
    DATABASE_URL: databaseWire.through(direct),
    CHAIN_RPC_URL: chainWire.through(anvil.url),
    CHAIN_WS_URL: chainWire.through(anvil.url.replace(/^http/, 'ws')),
    CHAIN_ID: String(devChain.id),
    REGISTRY_ADDRESS: contracts.registry,
    RUNNER_ADDRESS: contracts.runner,
    DEPLOYMENT_BLOCK: String(contracts.blockNumber),
    CHAIN_TOKEN_KEY: randomBytes(32).toString('hex'),
    SESSION_KEY: randomBytes(32).toString('hex'),
    SIMULATE_THREADS: '1',
    COMPILE_TIMEOUT_MS: '60000',
    MAX_DRAFTS_PER_OWNER: '100000',
  }
  const program = (name: string, args: readonly string[]) => {
    const onLine = logTo(folder, name, watch)
    return new Part(name, watch, () => startChild(process.execPath, args, { name, env, onLine }))
  }
  const siteParts = ports.map((each, i) => program(`site-${i}`, ['scripts/site.ts', '--port', String(each)]))
  const workerParts = [0, 1].map((i) => program(`worker-${i}`, ['worker/main.ts']))

  const isHealthy = async (): Promise<boolean> => {
    if ([database, ...siteParts, ...workerParts].some(({ child }) => child === undefined)) return false
    const signal = AbortSignal.timeout(5_000)
    const ready = await Promise.all(sites.map((site) => fetch(`${site}/readyz`, { signal })))
    const head = Number(await rpc(anvil.url, 'eth_blockNumber'))
    const rows = await sql`select 1 from worker_state where processed_block = ${head}`
    return ready.every(({ ok }) => ok) && rows.length === 1
  }
  return {
    ...{ sites, siteParts, workerParts, database, databaseWire, chainWire, disk, sql },
    mine: (blocks: number) => rpc(anvil.url, 'anvil_mine', [`0x${blocks.toString(16)}`]),
    async healthy(): Promise<void> {
      const until = Date.now() + HEALTHY_TIMEOUT_MS
      while (!(await isHealthy().catch(() => false))) {
        if (Date.now() > until) {
          const status = await fetch(`${sites[0]}/status.json`).then((response) => response.text(), String)
          return watch.violation(`not healthy again within ${HEALTHY_TIMEOUT_MS / 1000} s: ${status}`)
        }
        await sleep(50)
      }
    },
    async reindex() {
      const config = readConfig({ ...env, DATABASE_URL: direct, CHAIN_RPC_URL: anvil.url })
      const services = { config, chain: await connectChain(config), clock: () => new Date() }
      return reindex(services, { replace: false })
    },
    async stop(): Promise<void> {
      await Promise.all([...siteParts, ...workerParts].map((part) => part.stop()))
      await sql.end({ timeout: 1 })
      await Promise.all([databaseWire.close(), chainWire.close(), database.stop(), anvil.stop()])
      disk?.unmount()
    },
  }
}
