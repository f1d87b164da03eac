/**
 * Runs the built site as Vercel does, without an account there: `npm run vercel:dry-run`.
 *
 * Builds it as on the platform, puts exactly the files that each function gets into a folder of its own, starts it there
 * without the right to read anything else, and calls functions of every kind, over a PostgreSQL, a chain and a worker of
 * its own. `-- --built` reuses the last build of this command.
 */
import { parseArgs } from 'node:util'
import { publicPages } from './browser/pages.ts'
import { publishExampleNetwork } from './example-network/publish.ts'
import { publishSampleWorlds } from './example-network/sample-worlds.ts'
import { killChildren, startChild } from './stack/child.ts'
import { devAccount } from './stack/contracts.ts'
import { startNetwork } from './vercel/network.ts'
import { readOutputs } from './vercel/outputs.ts'
import { startPlatform } from './vercel/runner.ts'
import { describeSizes } from './vercel/sizes.ts'

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
    publishSampleWorlds(account, {
      api: `${origin}/services`,
      siteOrigin: origin,
      chainId: network.chainId,
    }),
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
