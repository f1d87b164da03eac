import { connectChain } from './chain/access.ts'
import { type Config, readConfig } from './config.ts'
import type { Services } from './context.ts'
import { createDatabase } from './db/client.ts'
import { createTailer } from './feed/tailer.ts'
import { createBodyRoom } from './limits/body-room.ts'
import { createWorkGate } from './limits/gate.ts'
import { createLimiter } from './limits/limiter.ts'
import { createRoom } from './limits/room.ts'
import { createLog } from './log/create-log.ts'
import { createPreviewGate, previewLimit } from './preview/gate.ts'
import { createSimulatorPool } from './simulator/pool.ts'
import { createCompilerPool } from './solidity/pool.ts'
import { createBundlePool } from './worlds/bundle/pool.ts'
import { openBlobStore } from './worlds/open-blob-store.ts'

declare global {
  // Route handlers and pages are bundled apart and share no module state, only the process.
  var weftServices: Promise<Services> | undefined
}

/**
 * While all processors are wanted, the thread that answers requests comes before those that compile and simulate: it has
 * to say no in time.
 */
const NICENESS = 5

/** Twenty of the largest uploads, five of them of one client. */
const MAX_BODIES_BYTES = 256 * 1024 * 1024

/**
 * The services of this process, built from its environment on first use.
 * @throws ConfigError
 */
export function getServices(): Promise<Services> {
  globalThis.weftServices ??= Promise.resolve()
    .then(() => createServices(readConfig(process.env)))
    .catch((error: unknown) => {
      // What failed once may work on the next request.
      globalThis.weftServices = undefined
      throw error
    })
  return globalThis.weftServices
}

/** Ends the open streams of this process; what else runs goes on. */
export async function endStreams(): Promise<void> {
  const services = await globalThis.weftServices?.catch(() => undefined)
  services?.tailer.close()
}

/** Connects nothing and starts no thread yet: each part does so when it is first used. */
export async function createServices(config: Config): Promise<Services> {
  const compiler = lazy(() => createCompilerPool({ ...config.compile, niceness: NICENESS }))
  const simulator = lazy(() =>
    createSimulatorPool({ ...config.simulate, answerBytes: config.maxAnswerBytes, niceness: NICENESS }),
  )
  const bundles = lazy(() => createBundlePool({ ...config.bundleCheck, niceness: NICENESS }))
  const db = createDatabase(config.databaseUrl)
  const log = createLog({ level: config.logLevel })
  return {
    config,
    db,
    blobs: openBlobStore(config),
    bundles: {
      check: (...args) => bundles.get().check(...args),
      close: async () => bundles.made()?.close(),
    },
    chain: await connectChain(config),
    compiler: {
      compile: (...args) => compiler.get().compile(...args),
      inspect: (...args) => compiler.get().inspect(...args),
      close: async () => compiler.made()?.close(),
    },
    simulator: {
      simulate: (...args) => simulator.get().simulate(...args),
      simulateJson: (request) => simulator.get().simulateJson(request),
      start: () => simulator.get().start(),
      prepare: async (connector) => simulator.made()?.prepare(connector),
      close: async () => simulator.made()?.close(),
    },
    explainer: {
      explain: (request) => simulator.get().explain(request),
      locate: (request) => simulator.get().locate(request),
      tryBody: (request) => simulator.get().tryBody(request),
    },
    previewGate: createPreviewGate(previewLimit(config)),
    limiter: createLimiter(db.sql, config.limits),
    work: createWorkGate(config.maxInWork),
    bodies: createBodyRoom(MAX_BODIES_BYTES),
    streamRoom: createRoom(config.streams.maxOfClient),
    pools: {
      compile: () => compiler.made()?.load(),
      simulate: () => simulator.made()?.load(),
      bundleCheck: () => bundles.made()?.load(),
    },
    engine: () => simulator.made()?.report(),
    tailer: createTailer({ databaseUrl: config.databaseUrl, log }),
    clock: () => new Date(),
    log,
  }
}

/** Ends the streams, stops the threads and closes the connections. */
export async function closeServices(services: Services): Promise<void> {
  services.tailer.close()
  const { compiler, simulator, bundles, blobs, db } = services
  await Promise.all([compiler, simulator, bundles, blobs, db].map((part) => part.close()))
}

function lazy<T>(make: () => T): { get(): T; made(): T | undefined } {
  let value: T | undefined
  return {
    get: () => {
      value ??= make()
      return value
    },
    made: () => value,
  }
}
