import { connectChain } from '../lib/chain/access.ts'
import { ConfigError, readConfig } from '../lib/config.ts'
import { migrate } from '../lib/db/migrate.ts'
import { WrongRegistry } from '../lib/feed/state.ts'
import { type RunningWorker, startWorker } from '../lib/feed/worker.ts'
import { createLog } from '../lib/log/create-log.ts'
import { scrubOutput } from '../lib/log/scrub-output.ts'
import { startTracing } from '../lib/telemetry/start-tracing.ts'
import { sweepGarbage } from '../lib/worlds/sweep-garbage.ts'
import { serveWorkerPages } from './http.ts'

const FORCED_EXIT_MS = 900

/** The process beside the site: follows the registry, and deletes what nobody needs, until it is told to end. */
const main = async (): Promise<void> => {
  scrubOutput()
  const config = readConfig(process.env)
  const log = createLog({ level: config.logLevel, base: { part: 'worker' } })
  const ending = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      ending.abort()
      setTimeout(() => process.exit(0), FORCED_EXIT_MS).unref()
    })
  }
  const endTracing = await startTracing({ ...config.traces, service: 'weft-worker' })
  const chain = await connectChain(config)
  let worker: RunningWorker | undefined
  const stopServing = serveWorkerPages({ config, chain, log, worker: () => worker })
  await migrate(config.databaseUrl)
  worker = startWorker({ config, chain, log, clock: () => new Date() }, { signal: ending.signal })
  const sweeping = sweepGarbage({ config, log, clock: () => new Date() }, ending.signal)
  await worker.done
  ending.abort()
  await Promise.all([sweeping, stopServing(), endTracing()])
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const expected = error instanceof ConfigError || error instanceof WrongRegistry
    console.error(expected ? error.message : error)
    process.exit(1)
  },
)
