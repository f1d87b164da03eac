import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { migrate } from '../lib/platform/db/migrate.ts'
import { publicPages } from './browser/pages.ts'
import { publishExampleNetwork } from './example-network/publish.ts'
import { publishSampleWorlds } from './example-network/sample-worlds.ts'
import { startAnvil } from './stack/anvil.ts'
import { killChildren, startChild } from './stack/child.ts'
import { devAccount, findContracts } from './stack/contracts.ts'
import { reachableDataDir } from './stack/data-location.ts'
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
 * `-- --built` reuses the last build of this command.
 */

const root = process.cwd()
const { values } = parseArgs({ options: { built: { type: 'boolean', default: false } } })
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
  /** Starts the worker of a site. */
  startWorker(siteOrigin: string): Promise<void>
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
      settings: ['fsync=off', 'max_connections=500'],
    })
    ends.push(() => database.stop())
    await migrate(database.url())
    const chain = await startAnvil({ port: await anyFreePort() })
    ends.push(() => chain.stop())
    const contracts = await findContracts(chain.url, { file: join(folder, 'contracts.json') })
    const settings = {
      DATABASE_URL: database.url(),
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
      startWorker: async (siteOrigin) => {
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
