/**
 * Runs the site as Vercel would, without an account there: `npm run vercel:dry-run`.
 *
 * Builds it as on the platform, puts exactly the files that each function gets into a folder of its own, starts it there
 * with no right to read anything else, and goes through what people do, over a PostgreSQL, a chain and a worker of its
 * own. `-- --built` takes the build that is there; it was made by this command.
 */
import { parseArgs } from 'node:util'
import { isWorkerScript } from '../lib/page-policy/worker-headers.ts'
import { killChildren, startChild } from './stack/child.ts'
import { devAccount } from './stack/contracts.ts'
import { apiSteps, type Step } from './vercel/journey.ts'
import { startNetwork } from './vercel/network.ts'
import { readOutputs } from './vercel/outputs.ts'
import { pageSteps } from './vercel/pages.ts'
import { startPlatform } from './vercel/platform.ts'
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
let failed = 0
try {
  await network.startWorker(platform.origin)
  const tried = {
    origin: platform.origin,
    chainId: network.chainId,
    account: devAccount(0),
    rpcUrl: network.settings.CHAIN_RPC_URL,
    connector: 'weave',
    workerScript: outputs.staticFiles.find(({ pathname }) => isWorkerScript(pathname))?.pathname ?? '',
  }
  await tell(apiSteps(tried))
  await tell(await pageSteps(tried))
  console.log(`${platform.started().length} functions were asked; ${failed} of the steps failed.`)
} finally {
  await platform.close()
  await network.close()
}
process.exit(failed === 0 ? 0 : 1)

async function tell(steps: readonly Step[]): Promise<void> {
  for (const [what, run] of steps) {
    const began = performance.now()
    const [mark, told] = await run().then(
      (said) => ['ok', said] as const,
      (error: unknown) => ['FAILS', error instanceof Error ? error.message : String(error)] as const,
    )
    if (mark === 'FAILS') failed++
    console.log(`${mark.padEnd(6)}${what}: ${told} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
  }
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
