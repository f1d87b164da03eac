import { existsSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { toHex } from 'viem'
import { readSettings } from '#lib/features/config.ts'
import { ConfigError } from '#lib/platform/config.ts'
import { isDevChainId } from '#lib/protocol/dev-chain.ts'
import { killChildren } from './stack/child.ts'
import { devAccount } from './stack/contracts.ts'
import { openDataFolder } from './stack/data-folder.ts'
import { writeJson } from './stack/files.ts'
import { createProgress } from './stack/progress.ts'
import { keepRunFile, recover } from './stack/recover.ts'
import { createStack, type Endpoints } from './stack/stack.ts'

const SHOWN_ACCOUNTS = 3

const began = performance.now()
const development = process.argv.includes('--dev')

// Whatever ends this process, short of SIGKILL, takes the others along.
process.on('exit', killChildren)

// A closed terminal or pipe must not end the program before it has stopped what it started.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

try {
  await main()
} catch (error) {
  console.error(`\n${error instanceof ConfigError ? error.message : describe(error)}`)
  process.exit(1)
}

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const settings = readSettings(process.env)
  const folder = openDataFolder(settings.dataDir)
  const progress = createProgress((line) => console.log(line))
  await recover(folder, progress)
  const removeRunFile = keepRunFile(folder.run)
  console.log('Starting Weft')

  let stopping: Promise<never> | undefined
  const stop = (code: number, reason?: string): Promise<never> => {
    stopping ??= (async () => {
      progress.hush()
      if (reason) console.error(`\n${reason}`)
      rmSync(folder.endpoints, { force: true })
      await stack.stop()
      removeRunFile()
      console.log('Weft has stopped.')
      process.exit(code)
    })()
    return stopping
  }
  const stack = createStack({
    settings,
    folder,
    progress,
    development,
    onGiveUp: (reason) => void stop(1, reason),
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stopping) console.log('\nStopping …')
      void stop(0)
    })
  }

  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      if (!stopping) void stop(1, `Something went wrong in the starter itself: ${describe(error)}`)
    })
  }

  try {
    const endpoints = await stack.start()
    if (stopping) return await stopping
    writeJson(folder.endpoints, endpoints)
    console.log(describeEndpoints(endpoints, folder.logs, (performance.now() - began) / 1000))
  } catch (error) {
    // While stopping, parts fail because they are being stopped.
    await stop(1, stopping ? undefined : describe(error))
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return process.env.LOG_LEVEL === 'debug' ? (error.stack ?? error.message) : error.message
}

/** The addresses of all parts, as printed after the start. */
function describeEndpoints(endpoints: Endpoints, logs: string, seconds: number): string {
  const rows: [string, string][] = [
    ['Site', endpoints.site],
    ['Chain API', endpoints.chainApi],
    ['Services API', endpoints.servicesApi],
    ['Worker', `${endpoints.worker} (/healthz, /readyz, /metrics)`],
    ['Chain RPC', `${endpoints.chainRpc} (chain id ${endpoints.chainId})`],
    ['Registry', endpoints.registry],
    ['Runner', endpoints.runner],
  ]
  const lines = [
    '',
    `Weft is ready after ${seconds.toFixed(1)} s.`,
    '',
    ...rows.map(([label, value]) => `  ${label.padEnd(13)} ${value}`),
  ]
  if (isDevChainId(endpoints.chainId)) {
    lines.push(
      '',
      '  Funded accounts of the development chain. Their keys are public: never send them anything of value.',
    )
    for (let index = 1; index <= SHOWN_ACCOUNTS; index++) {
      const { address, key } = accountWithKey(index)
      lines.push(`  ${address}  ${key}`)
    }
  }
  lines.push('', `  Logs are in ${shortPath(logs)}. Ctrl-C stops everything; the data stays.`, '')
  return lines.join('\n')
}

function accountWithKey(index: number): { address: string; key: string } {
  const account = devAccount(index)
  const key = account.getHdKey().privateKey
  return { address: account.address, key: key ? toHex(key) : '' }
}

function shortPath(path: string): string {
  const short = relative('', path)
  return short.startsWith('..') ? path : short
}
