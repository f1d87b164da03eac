import { connectChain } from '#lib/chain/access.ts'
import { newestBlockReader } from '#lib/chain/newest-block.ts'
import { createBundlePool } from '#lib/compute/bundle/pool.ts'
import { createPicturePool } from '#lib/compute/pictures/pool.ts'
import { createSimulatorPool } from '#lib/compute/simulator/pool.ts'
import { createCompilerPool } from '#lib/compute/solidity/pool.ts'
import { createTailer } from '#lib/core/feed/tailer.ts'
import { openBlobStore } from '#lib/platform/blobs/open-blob-store.ts'
import type { Config } from '#lib/platform/config.ts'
import { createDatabase } from '#lib/platform/db/client.ts'
import { readDatabaseUrl } from '#lib/platform/db/connect.ts'
import { MemoryBudget } from '#lib/platform/limits/memory-budget.ts'
import { chargeNodeCall } from '#lib/platform/limits/node-calls.ts'
import { openPlaces } from '#lib/platform/limits/places.ts'
import { createRateLimiter } from '#lib/platform/limits/rate-limiter.ts'
import { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import { createLog } from '#lib/platform/log/create-log.ts'
import type { Services } from './context.ts'

/** Priority of worker threads below the request thread, which has to refuse excess requests in time. */
const NICENESS = 5

/** Twenty of the largest uploads, sixteen of the largest connectors, or four of the largest bundles with their files. */
const MAX_HELD_BYTES = 512 * 1024 * 1024

/** Creates services without connecting or starting threads: each does so on first use. */
export async function createServices(config: Config): Promise<Services> {
  const ledger = new UsageLedger()
  const compiler = lazy(() => createCompilerPool({ ...config.compile, niceness: NICENESS, ledger }))
  const log = createLog({ level: config.logLevel, secrets: config.secrets })
  const chain = await connectChain(config, { log, onCall: () => chargeNodeCall(ledger) })
  const simulator = lazy(() =>
    createSimulatorPool({
      ...config.simulate,
      answerBytes: config.maxAnswerBytes,
      niceness: NICENESS,
      ledger,
      newestBlock: chain && newestBlockReader(chain),
    }),
  )
  const bundles = lazy(() => createBundlePool({ ...config.bundleCheck, niceness: NICENESS, ledger }))
  const pictures = lazy(() => createPicturePool({ niceness: NICENESS, ledger }))
  const db = createDatabase(config.databaseUrl)
  return {
    config,
    db,
    blobs: openBlobStore(config),
    bundles: {
      check: (...args) => bundles.get().check(...args),
      close: async () => bundles.peek()?.close(),
    },
    chain,
    pictures: {
      draw: (...args) => pictures.get().draw(...args),
      close: async () => pictures.peek()?.close(),
    },
    compiler: {
      compile: (...args) => compiler.get().compile(...args),
      inspect: (...args) => compiler.get().inspect(...args),
      start: () => compiler.get().start(),
      close: async () => compiler.peek()?.close(),
    },
    simulator: {
      simulate: (...args) => simulator.get().simulate(...args),
      simulateJson: (request) => simulator.get().simulateJson(request),
      start: () => simulator.get().start(),
      close: async () => simulator.peek()?.close(),
    },
    explainer: {
      explain: (request) => simulator.get().explain(request),
      locate: (request) => simulator.get().locate(request),
      tryBody: (request) => simulator.get().tryBody(request),
    },
    ledger,
    rateLimiter: createRateLimiter(db.sql, config.rateLimits),
    places: openPlaces(ledger, config),
    memory: new MemoryBudget(ledger, MAX_HELD_BYTES),
    pools: {
      compile: () => compiler.peek()?.load(),
      simulate: () => simulator.peek()?.load(),
      bundleCheck: () => bundles.peek()?.load(),
    },
    engine: () => simulator.peek()?.counts(),
    tailer: createTailer({
      databaseUrl: config.databaseUrl,
      pooled: readDatabaseUrl(config.databaseUrl).pooled ? db.sql : undefined,
      log,
    }),
    clock: () => new Date(),
    log,
  }
}

/** Ends the streams, stops the threads and closes the connections. */
export async function closeServices(services: Services): Promise<void> {
  services.tailer.close()
  const { compiler, simulator, bundles, pictures, blobs, db } = services
  const parts = [compiler, simulator, bundles, pictures, blobs, db]
  await Promise.all(parts.map((part) => part.close()))
}

function lazy<T>(make: () => T): { get(): T; peek(): T | undefined } {
  let value: T | undefined
  return {
    get: () => {
      value ??= make()
      return value
    },
    peek: () => value,
  }
}
