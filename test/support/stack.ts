import type { Services } from '../../lib/context/context.ts'
import { closeServices, createServices } from '../../lib/context/services.ts'
import { startIndexer } from '../../lib/indexer/indexer.ts'
import { issueChainToken } from '../../lib/people/identity/chain-token.ts'
import type { Config } from '../../lib/platform/config.ts'
import type { Address } from '../../lib/protocol/entity.ts'
import { createChainDispatcher } from '../../lib/server/operations/chain/dispatcher.ts'
import { type TestChain, testChain } from './chain.ts'
import { chainConfig } from './chain-config.ts'
import { withSharedCompiler } from './compiler.ts'
import { testConfig } from './config.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { until } from './until.ts'

export interface StackAnswer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON; undefined when the answer is empty. */
  readonly body: unknown
}

/** The whole program in this process: chain API, worker, a new database and a new chain. */
export interface TestStack {
  readonly services: Services
  readonly db: TestDatabase
  readonly chain: TestChain
  /** The chain API itself, under `http://localhost/chain`. */
  fetch(request: Request): Promise<Response>
  /** One request to the chain API; `path` begins after `/chain`. */
  call(
    method: string,
    path: string,
    options?: { readonly token?: string; readonly body?: unknown },
  ): Promise<StackAnswer>
  /** A token for an account, without the ceremony. */
  token(account: Address): Promise<string>
  /** Resolves when the worker has projected every block the chain has now. */
  projected(): Promise<void>
  close(): Promise<void>
}

/** @param config Changes to the test configuration, for instance `{ publicationEnabled: false }`. */
export async function startTestStack(config: Partial<Config> = {}): Promise<TestStack> {
  const [db, chain] = await Promise.all([createTestDatabase(), testChain()])
  const base = testConfig()
  const own = await createServices({
    ...base,
    databaseUrl: db.url,
    ...chainConfig(chain),
    worker: { ...base.worker, pollMs: 60 },
    ...config,
  })
  const services: Services = { ...(config.compile === undefined ? withSharedCompiler(own) : own), db }
  const ending = new AbortController()
  const worker = startIndexer(services, { signal: ending.signal })
  const dispatch = createChainDispatcher({ services: async () => services, validateResponses: true })

  return {
    services,
    db,
    chain,
    fetch: dispatch,
    async call(method, path, { token, body } = {}) {
      const headers = new Headers()
      if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
      if (body !== undefined) headers.set('Content-Type', 'application/json')
      const response = await dispatch(
        new Request(`http://localhost/chain${path}`, {
          method,
          headers,
          body: body === undefined ? null : JSON.stringify(body),
        }),
      )
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? undefined : JSON.parse(text),
      }
    },
    token: (account) => issueChainToken(services, account),
    async projected() {
      const head = Number(await chain.publicClient.getBlockNumber({ cacheTime: 0 }))
      await until(`block ${head} is projected`, () => (worker.status().state?.processedBlock ?? -1) >= head)
    },
    async close() {
      ending.abort()
      await worker.done
      await closeServices(own)
      await Promise.all([db.close(), chain.close()])
    },
  }
}
