import { randomBytes } from 'node:crypto'
import { chmodSync, createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { createPublicClient, createWalletClient, http } from 'viem'
import { foundry } from 'viem/chains'
import { connectChain } from '../../lib/chain/access.ts'
import { deployContracts } from '../../lib/chain/deploy.ts'
import { type Config, readConfig } from '../../lib/config.ts'
import { reconnectDelay } from '../../lib/db/client.ts'
import { migrate } from '../../lib/db/migrate.ts'
import { type ReindexReport, reindex } from '../../lib/feed/reindex/reindex.ts'
import { rpc, startAnvil } from '../../scripts/stack/anvil.ts'
import { startChild } from '../../scripts/stack/child.ts'
import { devAccount } from '../../scripts/stack/contracts.ts'
import { anyFreePort } from '../../scripts/stack/ports.ts'
import { type PostgresServer, startPostgres } from '../../scripts/stack/postgres.ts'
import { startAudit } from '../simulation/audit.ts'
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { awakeMs } from './awake.ts'
import { type Disk, mountDisk } from './disk.ts'
import { type Part, runPart } from './part.ts'
import type { Report } from './report.ts'

const SITES = 2
const WORKERS = 2
const PASSWORD = 'chaos'
/** `safe` is this many blocks behind the head, `finalized` twice as many: no fault reorganises more. */
export const SLOTS_IN_AN_EPOCH = 8
const HEALTHY_WITHIN_MS = 40_000

/** The whole program with its chain and its database, and wires in between that faults can lay hands on. */
export interface ChaosNetwork {
  readonly sites: readonly string[]
  readonly siteParts: readonly Part[]
  readonly workerParts: readonly Part[]
  readonly database: Part
  /** Between the program and its database. */
  readonly databaseWire: TcpProxy
  /** Between the program and its chain: one for questions, one for announcements of blocks. */
  readonly chainWires: readonly TcpProxy[]
  /** Behind the wire for questions: it may answer with errors. */
  readonly node: RpcProxy
  /** Undefined where there is no file system to fill. */
  readonly disk: Disk | undefined
  /** Past all wires. */
  readonly sql: postgres.Sql
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>
  /** What has to be there for a process to start is there, as far as faults are concerned. */
  whole: boolean
  /** Resolves when everything runs, answers, and has read every block. Notes a violation when that takes too long. */
  healthy(): Promise<boolean>
  reindex(): Promise<ReindexReport>
  stop(): Promise<void>
}

/** @param folder For logs and data; whatever is written stays. */
export async function startNetwork(folder: string, report: Report): Promise<ChaosNetwork> {
  chmodSync(folder, 0o755)
  const logs = join(folder, 'logs')
  mkdirSync(logs)
  const onLine = (name: string) => watchLog(join(logs, `${name}.log`), name, report)

  const disk = mountDisk(join(folder, 'disk'))
  const databasePort = await anyFreePort()
  const databaseLog = onLine('database')
  let server: PostgresServer | undefined
  const network: { whole: boolean } = { whole: true }
  const hasWhatItNeeds = () => network.whole
  const onDeath = (how: string) => report.violation(how)
  const database = runPart({
    name: 'database',
    hasWhatItNeeds,
    onDeath,
    start: async () => {
      server = await startPostgres({
        dataDir: join(disk?.folder ?? folder, 'postgres'),
        port: databasePort,
        password: PASSWORD,
        // A killed process loses nothing of what the system was given; only the machine's own end would.
        settings: ['fsync=off', 'max_wal_size=96MB', 'min_wal_size=32MB'],
        onLine: databaseLog,
      })
      return server.child
    },
  })
  const startChain = async () => {
    const anvil = await startAnvil({
      port: await anyFreePort(),
      slotsInAnEpoch: SLOTS_IN_AN_EPOCH,
      onLine: onLine('chain'),
    })
    const account = devAccount(9)
    const transport = http(anvil.url)
    const contracts = await deployContracts({
      account,
      walletClient: createWalletClient({ chain: foundry, transport, account }),
      publicClient: createPublicClient({ chain: foundry, transport, pollingInterval: 20 }),
    })
    return { anvil, contracts }
  }
  const [{ anvil, contracts }] = await Promise.all([startChain(), database.up()])
  const direct = `postgres://weft:${PASSWORD}@127.0.0.1:${databasePort}/weft`
  await migrate(direct)
  const sql = postgres(direct, { max: 1, backoff: reconnectDelay, onnotice: () => {} })
  await startAudit(sql)
  const [databaseWire, node] = await Promise.all([startTcpProxy(databasePort), startRpcProxy(anvil.url)])
  const [chainWire, announcements] = await Promise.all([
    startTcpProxy(Number(new URL(node.url).port)),
    startTcpProxy(Number(new URL(anvil.url).port)),
  ])
  const ports = await Promise.all(Array.from({ length: SITES }, () => anyFreePort()))
  const sites = ports.map((port) => `http://localhost:${port}`)
  const environment: NodeJS.ProcessEnv = {
    NODE_ENV: 'production',
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    NEXT_TELEMETRY_DISABLED: '1',
    SITE_ORIGIN: sites[0] as string,
    DATABASE_URL: databaseWire.through(direct),
    CHAIN_RPC_URL: chainWire.through(node.url),
    CHAIN_WS_URL: announcements.through(anvil.url.replace(/^http/, 'ws')),
    CHAIN_ID: String(foundry.id),
    REGISTRY_ADDRESS: contracts.registry,
    RUNNER_ADDRESS: contracts.runner,
    DEPLOYMENT_BLOCK: String(contracts.blockNumber),
    CHAIN_TOKEN_KEY: randomBytes(32).toString('hex'),
    SESSION_KEY: randomBytes(32).toString('hex'),
    SIMULATE_THREADS: '1',
    MAX_DRAFTS_PER_OWNER: '100000',
    MAX_WORLDS_PER_OWNER: '100000',
  }
  const program = (name: string, args: readonly string[]) => {
    const log = onLine(name)
    return runPart({
      name,
      hasWhatItNeeds,
      onDeath,
      start: () => startChild(process.execPath, args, { name, env: environment, onLine: log }),
    })
  }
  const siteParts = ports.map((port, i) =>
    program(`site-${i + 1}`, ['scripts/site.ts', '--port', String(port)]),
  )
  const workerParts = Array.from({ length: WORKERS }, (_, i) =>
    program(`worker-${i + 1}`, ['worker/main.ts']),
  )
  const parts = [database, ...siteParts, ...workerParts]

  const isHealthy = async (): Promise<boolean> => {
    if (parts.some((part) => part.pid() === undefined)) return false
    const ready = await Promise.all(
      sites.map((site) => fetch(`${site}/readyz`, { signal: AbortSignal.timeout(5_000) })),
    )
    if (ready.some(({ ok }) => !ok)) return false
    const head = Number(await rpc(anvil.url, 'eth_blockNumber'))
    const { hash } = (await rpc(anvil.url, 'eth_getBlockByNumber', [`0x${head.toString(16)}`, false])) as {
      hash: string
    }
    const rows = await sql`select 1 from chain_blocks where number = ${head} and hash = ${hash}`
    return rows.length === 1
  }

  return Object.assign(network, {
    sites,
    siteParts,
    workerParts,
    database,
    databaseWire,
    chainWires: [chainWire, announcements],
    node,
    disk,
    sql,
    rpc: (method: string, params: readonly unknown[] = []) => rpc(anvil.url, method, params),
    async healthy() {
      const giveUp = awakeMs() + HEALTHY_WITHIN_MS
      for (;;) {
        if (await isHealthy().catch(() => false)) return true
        if (awakeMs() > giveUp) {
          const status = await fetch(`${sites[0]}/status.json`).then((response) => response.text(), String)
          report.violation(`not healthy again within ${HEALTHY_WITHIN_MS / 1000} s: ${status}`)
          return false
        }
        await sleep(50)
      }
    },
    async reindex() {
      const config: Config = readConfig({ ...environment, DATABASE_URL: direct, CHAIN_RPC_URL: anvil.url })
      const chain = await connectChain(config)
      return reindex({ config, chain, clock: () => new Date() }, { replace: false })
    },
    async stop() {
      await Promise.all([...siteParts, ...workerParts].map((part) => part.stop()))
      await sql.end({ timeout: 1 })
      await Promise.all([databaseWire, chainWire, announcements, node].map((each) => each.close()))
      await Promise.all([database.stop(), anvil.stop()])
      disk?.unmount()
    },
  })
}

/** What no log may say: a promise nobody waited for, an error nobody caught. */
const UNHANDLED = /unhandled|uncaught|UnhandledPromise/i

function watchLog(file: string, name: string, report: Report): (line: string) => void {
  const log = createWriteStream(file)
  return (line) => {
    log.write(`${new Date().toISOString()} ${line}\n`)
    if (UNHANDLED.test(line)) report.violation(`${name} says: ${line.slice(0, 600)}`)
    if (name !== 'database' && /"level":(50|60)/.test(line)) report.count(`errors in the log of ${name}`)
  }
}
