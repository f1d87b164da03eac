import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { connect } from '#lib/platform/db/connect.ts'
import { migrate } from '#lib/platform/db/migrate.ts'
import { publicPages } from './browser/pages.ts'
import { publishExampleNetwork } from './example-network/publish.ts'
import { publishSampleWorlds } from './example-network/sample-worlds.ts'
import { startAnvil } from './stack/anvil.ts'
import { killChildren, startChild } from './stack/child.ts'
import { devAccount, findContracts } from './stack/contracts.ts'
import { reachableDataDir } from './stack/data-location.ts'
import { type PgBouncer, startPgBouncer } from './stack/pgbouncer.ts'
import { anyFreePort } from './stack/ports.ts'
import { startPostgres } from './stack/postgres.ts'
import { describeSizes, readOutputs } from './vercel/outputs.ts'
import { startPlatform } from './vercel/runner.ts'
import { servicesClient } from './world-kit/services-client.ts'

/**
 * Runs the built site as Vercel does, without an account there: `npm run vercel:dry-run`.
 *
 * Builds it as on the platform, puts exactly the files of each function into a separate folder, starts it there without
 * read access to anything else, and calls functions of every kind, over a PostgreSQL, a chain and a worker of this run.
 * `-- --built` reuses the last build of this command. `npm run vercel:pooled` does it with what a small managed database has:
 * 104 connections behind PgBouncer in transaction mode, and no worker but `/worker/step`, called over and over.
 */

const root = process.cwd()
const { values } = parseArgs({
  options: { built: { type: 'boolean', default: false }, pooled: { type: 'boolean', default: false } },
})
/** Connections of a small managed database, and how many of them the pooler may use. */
const MAX_CONNECTIONS = 104
const POOL_SIZE = 40
/** Function processes that must have been alive at once. */
const LEAST_FUNCTIONS = 40
const CRON_SECRET = 'ef'.repeat(16)
process.on('exit', killChildren)

if (!values.built) await build()
const outputs = readOutputs(root)
console.log(describeSizes(outputs))
const network = await startNetwork()
const platform = await startPlatform(outputs, (origin) => ({
  NODE_ENV: 'production',
  VERCEL: '1',
  SITE_ORIGIN: origin,
  PUBLIC_RPC_URL: network.settings.CHAIN_RPC_URL,
  TRUSTED_PROXIES: '1',
  SIMULATE_THREADS: '1',
  COMPILE_THREADS: '1',
  ...(values.pooled && { CRON_SECRET }),
  ...network.settings,
}))
const { origin } = platform
let failed = 0
try {
  await network.startWorker(origin)
  const account = devAccount(0)
  await check('publish the example network', () => publishExampleNetwork(`${origin}/chain`, account))
  await check('publish the sample Worlds', () =>
    publishSampleWorlds(
      account,
      servicesClient(account, {
        api: `${origin}/services`,
        siteOrigin: origin,
        chainId: network.chainId,
      }),
    ),
  )
  await check('simulate and execute give the same', async () => {
    const body = JSON.stringify({ connector_name: 'weave', particles_count: 64 })
    const [simulated, executed] = await Promise.all(
      ['/chain/simulate', '/chain/execute'].map(async (path) =>
        (await call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json(),
      ),
    )
    if (JSON.stringify(simulated) !== JSON.stringify(executed.particles)) throw new Error('they differ')
  })
  const paths = [
    ...(await publicPages(origin)).map(({ path }) => path),
    '/studio',
    '/docs/concepts.md',
    '/status.json',
    '/run/weave/image?count=16',
    '/services/js/sdk/world-runtime.js',
    '/chain/openapi.json',
    '/services/openapi.json',
    '/llms-full.txt',
    '/feed.xml',
    '/sitemap.xml',
    '/metrics',
  ]
  for (const path of paths) await check(path, () => call(path))
  await check('a page that does not exist is 404', () => call('/nothing/of/the/kind', {}, 404))
  await check('a body over the limit of the platform is 413', () =>
    call('/services/worlds/upload', { method: 'POST', body: new Uint8Array(5 * 1024 * 1024) }, 413),
  )
  if (values.pooled) {
    await check('a step says that nothing is left', async () => {
      const report = await (await step(origin)).json()
      if (!report.done) throw new Error(JSON.stringify(report))
    })
    await check(`at least ${LEAST_FUNCTIONS} functions are alive, and the database has room`, async () => {
      const { clients, connections } = network.most()
      console.log(
        `${platform.started().length} functions; at most ${clients} connections to the pooler at once, ` +
          `${connections} of ${MAX_CONNECTIONS} to the database`,
      )
      if (platform.started().length < LEAST_FUNCTIONS) throw new Error('fewer functions')
      if (clients > 3 * platform.started().length)
        throw new Error('a function has more than three connections')
    })
  }
  console.log(`${platform.started().length} functions were called; ${failed} checks failed.`)
} finally {
  await platform.close()
  await network.close()
}
process.exit(failed === 0 ? 0 : 1)

async function check(title: string, run: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  const problem = await run().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  if (problem !== undefined) failed += 1
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(
    `${problem === undefined ? 'ok' : 'FAILS'}  ${title}${problem ? `: ${problem}` : ''} (${seconds} s)`,
  )
}

async function call(path: string, init: RequestInit = {}, expected = 200): Promise<Response> {
  const response = await fetch(origin + path, init)
  if (response.status !== expected) throw new Error(`answered ${response.status}, expected ${expected}`)
  return response
}

function step(origin: string): Promise<Response> {
  return fetch(`${origin}/worker/step?seconds=20`, { headers: { authorization: `Bearer ${CRON_SECRET}` } })
}

async function build(): Promise<void> {
  await import('./generate.ts')
  const child = await startChild(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
    name: 'build',
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      VERCEL: '1',
      NEXT_ADAPTER_PATH: `${root}/scripts/vercel/keep-outputs.ts`,
    },
  })
  if ((await child.exited).code !== 0) throw new Error(`The site could not be built:\n${child.tail()}`)
}

/** What a site on a platform has elsewhere: a database, a chain with the contracts, and the worker. */
interface Network {
  /** Settings of the site that lead to it. */
  readonly settings: Readonly<Record<string, string>> & { readonly CHAIN_RPC_URL: string }
  readonly chainId: number
  /** Starts the worker of a site, or calls its step over and over. */
  startWorker(siteOrigin: string): Promise<void>
  /** The most connections at once so far, to the pooler and to the database. */
  most(): { readonly clients: number; readonly connections: number }
  close(): Promise<void>
}

/** @throws Error when a part does not come up. */
async function startNetwork(): Promise<Network> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-elsewhere-'))
  const ends: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })]
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  try {
    const database = await startPostgres({
      dataDir: reachableDataDir(join(folder, 'postgres')),
      port: await anyFreePort(),
      password: 'elsewhere',
      settings: ['fsync=off', `max_connections=${values.pooled ? MAX_CONNECTIONS : 500}`],
    })
    ends.push(() => database.stop())
    const pooler = values.pooled
      ? await startPgBouncer({ target: database.url(), poolSize: POOL_SIZE })
      : undefined
    if (pooler !== undefined) ends.push(() => pooler.close())
    const databaseUrl = pooler?.url ?? database.url()
    await migrate(databaseUrl)
    const watch = pooler && watchConnections(database.url(), pooler)
    if (watch !== undefined) ends.push(() => watch.end())
    const chain = await startAnvil({ port: await anyFreePort() })
    ends.push(() => chain.stop())
    const contracts = await findContracts(chain.url, { file: join(folder, 'contracts.json') })
    const settings = {
      DATABASE_URL: databaseUrl,
      CHAIN_RPC_URL: chain.url,
      CHAIN_ID: String(contracts.chainId),
      REGISTRY_ADDRESS: contracts.registry,
      RUNNER_ADDRESS: contracts.runner,
      DEPLOYMENT_BLOCK: String(contracts.deploymentBlock),
      CHAIN_TOKEN_KEY: 'ab'.repeat(32),
      SESSION_KEY: 'cd'.repeat(32),
    }
    return {
      settings,
      chainId: contracts.chainId,
      most: () => watch?.most ?? { clients: 0, connections: 0 },
      startWorker: async (siteOrigin) => {
        if (values.pooled) {
          const ending = new AbortController()
          const calling = callSteps(siteOrigin, ending.signal)
          ends.push(async () => {
            ending.abort()
            await calling
          })
          return
        }
        const worker = await startChild(process.execPath, ['worker/main.ts'], {
          name: 'worker',
          env: { PATH: process.env.PATH, NODE_ENV: 'production', SITE_ORIGIN: siteOrigin, ...settings },
        })
        ends.push(() => worker.stop('SIGTERM', 3000))
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Two callers, so that steps overlap, as a platform's cron may do. */
async function callSteps(siteOrigin: string, signal: AbortSignal): Promise<void> {
  const caller = async () => {
    while (!signal.aborted) {
      const answered = await step(siteOrigin).catch(() => undefined)
      const { problem } = (await answered?.json().catch(() => undefined)) ?? {}
      if (problem && !signal.aborted) console.log(`A step reports: ${problem.message}`)
      await sleep(500, undefined, { signal }).catch(() => undefined)
    }
  }
  await Promise.all([caller(), caller()])
}

/** Counts connections several times a second. */
function watchConnections(databaseUrl: string, pooler: PgBouncer) {
  const sql = connect(databaseUrl, { max: 1 })
  const most = { clients: 0, connections: 0 }
  let counting = true
  const done = (async () => {
    while (counting) {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int from pg_stat_activity where backend_type = 'client backend'`
      most.connections = Math.max(most.connections, row?.count ?? 0)
      most.clients = Math.max(most.clients, await pooler.clients())
      await sleep(200)
    }
  })()
  return {
    most,
    end: async () => {
      counting = false
      await done.catch(() => undefined)
      await sql.end({ timeout: 1 })
    },
  }
}
