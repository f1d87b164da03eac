import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalAccount } from 'viem/accounts'
import type { Services } from '#lib/core/context/context.ts'
import { type RunningIndexer, startIndexer } from '#lib/core/indexer/indexer.ts'
import type { Config } from '#lib/platform/config.ts'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'
import { type Answer, startApi, type TestApi } from '#test/support/api.ts'
import { devAccount, type TestChain, testChain } from '#test/support/chain.ts'
import { chainConfig } from '#test/support/chain-config.ts'
import { testConfig } from '#test/support/config.ts'
import { type PreparedWire, signPrepared } from './sign-prepared.ts'

/** A site on a new chain; with `worker` the worker runs in the same process. */
export interface Network<Api = TestApi> {
  readonly chain: TestChain
  readonly api: Api
  post(path: string, body: unknown, account?: LocalAccount): Promise<Answer>
  draftTransformation(name: string, account: LocalAccount, body?: string): Promise<void>
  draftConnector(name: string, calls: readonly string[], account: LocalAccount): Promise<void>
  prepare(kind: EntityKind, name: string, account: LocalAccount, relay?: boolean): Promise<PreparedWire>
  /** Prepares, sends and confirms. */
  publish(kind: EntityKind, name: string, account: LocalAccount): Promise<{ tx_hash: Hash; address: Address }>
  startWorker(): { readonly worker: RunningIndexer; stop(): Promise<void> }
  close(): Promise<void>
}

function configOf(chain: TestChain): Partial<Config> {
  return {
    ...chainConfig(chain),
    worker: { ...testConfig().worker, pollMs: 60 },
  }
}

export async function startNetwork(
  options: {
    chain?: TestChain
    config?: Partial<Config>
    parts?: Partial<Services>
    slotsInAnEpoch?: number
  } = {},
): Promise<Network> {
  const { slotsInAnEpoch } = options
  const chain = options.chain ?? (await testChain(slotsInAnEpoch === undefined ? {} : { slotsInAnEpoch }))
  const api = await startApi('chain', { ...configOf(chain), ...options.config }, options.parts)
  const network = networkOver(chain, api)
  return {
    ...network,
    async close() {
      await network.close()
      await api.close()
      if (options.chain === undefined) await chain.close()
    },
  }
}

/** The same over an API that the caller closes. */
export function networkOver<Api extends Pick<TestApi, 'send' | 'token' | 'services'>>(
  chain: TestChain,
  api: Api,
): Network<Api> {
  const stops: (() => Promise<void>)[] = []

  const post = async (path: string, body: unknown, account?: LocalAccount): Promise<Answer> => {
    const token = account && (await api.token(account.address.toLowerCase() as Address))
    return api.send('POST', path, { json: body, token })
  }
  const expectStatus = (answer: Answer, status: number): Answer => {
    if (answer.status !== status) {
      throw new Error(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.json)}`)
    }
    return answer
  }
  const prepare = async (kind: EntityKind, name: string, account: LocalAccount, relay = true) =>
    expectStatus(await post(`/publish/${kind}/prepare`, { name, relay }, account), 200).json as PreparedWire

  return {
    chain,
    api,
    post,
    prepare,
    async draftTransformation(name, account, body = 'return x + args[0];') {
      expectStatus(await post('/transformation', { name, sol_src: body }, account), 201)
    },
    async draftConnector(name, calls, account) {
      const transformations = calls.map((call) => ({ name: call, args: [1] }))
      expectStatus(await post('/connector', { name, dimensions: [{ transformations }] }, account), 201)
    },
    async publish(kind, name, account) {
      const prepared = await prepare(kind, name, account)
      const content_hash = prepared.content_hash
      const raw_tx = await signPrepared(prepared, account)
      const sent = expectStatus(
        await post(`/publish/${kind}/send`, { name, content_hash, raw_tx }, account),
        202,
      ).json as { tx_hash: Hash }
      const confirmation = { name, content_hash, tx_hash: sent.tx_hash }
      const confirm = () => post(`/publish/${kind}`, confirmation, account)
      let answer = await confirm()
      // 202: not mined yet.
      for (let tries = 0; answer.status === 202 && tries < 100; tries++) {
        await sleep(100)
        answer = await confirm()
      }
      return expectStatus(answer, 201).json as {
        tx_hash: Hash
        address: Address
      }
    },
    startWorker() {
      const ending = new AbortController()
      const worker = startIndexer(api.services, { signal: ending.signal })
      const stop = async () => {
        ending.abort()
        await worker.done
      }
      stops.push(stop)
      return { worker, stop }
    },
    async close() {
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}

export type { PreparedWire }
export { devAccount, signPrepared }
