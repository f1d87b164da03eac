import { connectChain } from '#lib/chain/access.ts'
import { type RunningIndexer, startIndexer } from '#lib/core/indexer/indexer.ts'
import { WrongRegistry } from '#lib/core/indexer/state.ts'
import { readConfig, SECRETS } from '#lib/features/config.ts'
import { ConfigError } from '#lib/platform/config.ts'
import { migrate } from '#lib/platform/db/migrate.ts'
import { createLog } from '#lib/platform/log/create-log.ts'
import { scrubOutput } from '#lib/platform/log/scrub.ts'
import { startTracing } from '#lib/platform/telemetry/start-tracing.ts'
import { allJobs } from '#lib/server/operations/worker/jobs.ts'
import { serveHealth } from './health-server.ts'

const FORCED_EXIT_MS = 900

/**
 * Worker process: indexes the registry, checks published sources, sends webhooks, writes notices and deletes unused World
 * files until SIGTERM or SIGINT.
 */
async function main(): Promise<void> {
  scrubOutput(SECRETS)
  const config = readConfig(process.env)
  const log = createLog({ level: config.logLevel, secrets: config.secrets, base: { part: 'worker' } })
  const ending = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      ending.abort()
      setTimeout(() => process.exit(0), FORCED_EXIT_MS).unref()
    })
  }
  const endTracing = await startTracing({ ...config.traces, service: 'weft-worker' })
  const chain = await connectChain(
    { ...config, chainRpcUrl: config.workerRpcUrl ?? config.chainRpcUrl },
    { log },
  )
  let indexer: RunningIndexer | undefined
  const stopServing = serveHealth({ config, chain, log, indexer: () => indexer })
  await migrate(config.databaseUrl)
  indexer = startIndexer({ config, chain, log, clock: () => new Date() }, { signal: ending.signal })
  const parts = { config, log, clock: () => new Date() }
  const working = allJobs.map((job) => job.run(parts, ending.signal))
  await indexer.done
  ending.abort()
  await Promise.all([...working, stopServing(), endTracing()])
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const expected = error instanceof ConfigError || error instanceof WrongRegistry
    console.error(expected ? error.message : error)
    process.exit(1)
  },
)
