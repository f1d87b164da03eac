import { startIndexer } from '#lib/core/indexer/indexer.ts'
import type { Config } from '#lib/platform/config.ts'
import { startApi, type TestApi } from './api.ts'
import { type TestChain, testChain } from './chain.ts'
import { chainConfig } from './chain-config.ts'
import { testConfig } from './config.ts'
import { until } from './until.ts'

/** The whole program in this process: chain API, worker, a new database and a new chain. */
export interface TestStack extends TestApi {
  readonly chain: TestChain
  /** Resolves when the worker has projected every block the chain has now. */
  projected(): Promise<void>
}

/** @param config Changes to the test configuration, for instance `{ publicationEnabled: false }`. */
export async function startTestStack(config: Partial<Config> = {}): Promise<TestStack> {
  const chain = await testChain()
  const { worker: settings } = testConfig()
  const started = await startApi('chain', {
    ...chainConfig(chain),
    worker: { ...settings, pollMs: 60 },
    ...config,
  })
  const ending = new AbortController()
  const worker = startIndexer(started.services, { signal: ending.signal })

  return {
    ...started,
    chain,
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
