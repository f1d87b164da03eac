import { existsSync, rmSync } from 'node:fs'
import { ConfigError, readSettings } from '../lib/config.ts'
import { killChildren } from './stack/child.ts'
import { writeJson } from './stack/files.ts'
import { openDataFolder } from './stack/folder.ts'
import { createProgress } from './stack/progress.ts'
import { recover } from './stack/recover.ts'
import { describeEndpoints } from './stack/report.ts'
import { keepRunFile } from './stack/run-file.ts'
import { createStack } from './stack/stack.ts'

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
