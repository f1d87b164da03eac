import { startIndexer } from '#lib/core/indexer/indexer.ts'
import type { Config } from '#lib/platform/config.ts'
import { createChainDispatcher } from '#lib/server/operations/chain/dispatcher.ts'
import { callsTo, type TestApi } from '#test/server/chain/harness.ts'
import { type TestChain, testChain } from './chain.ts'
import { chainConfig } from './chain-config.ts'
import { testConfig } from './config.ts'
import { startServices } from './services.ts'
import { until } from './until.ts'

/** The whole program in this process: chain API, worker, a new database and a new chain. */
export interface TestStack extends TestApi {
  readonly chain: TestChain
  /** The chain API itself, under `http://localhost/chain`. */
  fetch(request: Request): Promise<Response>
  /** Resolves when the worker has projected every block the chain has now. */
  projected(): Promise<void>
}

/** @param config Changes to the test configuration, for instance `{ publicationEnabled: false }`. */
export async function startTestStack(config: Partial<Config> = {}): Promise<TestStack> {
  const chain = await testChain()
  const { worker: settings } = testConfig()
  const started = await startServices({
    ...chainConfig(chain),
    worker: { ...settings, pollMs: 60 },
    ...config,
  })
  const { services } = started
  const ending = new AbortController()
  const worker = startIndexer(services, { signal: ending.signal })
  const dispatch = createChainDispatcher({ services: async () => services, validateResponses: true })

  return {
    ...started,
    ...callsTo(dispatch, '/chain', services),
    chain,
    fetch: dispatch,
    async projected() {
      const head = Number(await chain.publicClient.getBlockNumber({ cacheTime: 0 }))
      await until(`block ${head} is projected`, () => (worker.status().state?.processedBlock ?? -1) >= head)
    },
    async close() {
      ending.abort()
      await worker.done
      await started.close()
      await chain.close()
    },
  }
}
