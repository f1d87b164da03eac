import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Network, startNetwork } from '#test/core/publication/network.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'
import { testConfig } from '#test/support/config.ts'
import { applyProfile, NODE_PROFILES, type NodeProfile } from '#test/support/node-profiles.ts'
import { type RpcProxy, startRpcProxy } from '#test/support/rpc-proxy.ts'
import { startServices, type TestServices } from '#test/support/services.ts'
import { until } from '#test/support/until.ts'

let chain: TestChain
let shared: TestServices
let head = 0
let stopped = false
let mining: Promise<void>

beforeAll(async () => {
  ;[chain, shared] = await Promise.all([testChain({ slotsInAnEpoch: 2 }), startServices()])
  await chain.rpc('anvil_mine', ['0x60'])
  // Nodes that are behind need a chain that goes on.
  mining = (async () => {
    while (!stopped) {
      head = Number(await chain.publicClient.getBlockNumber({ cacheTime: 0 }))
      await new Promise((resolve) => setTimeout(resolve, 400))
      await chain.rpc('anvil_mine', ['0x1'])
    }
  })()
  await until('a head', () => head > 0)
})
afterAll(async () => {
  stopped = true
  await mining?.catch(() => undefined)
  await shared?.close()
  await chain?.close()
})

/** A site and its worker, which reach the chain through the provider. */
async function withProvider(profile: NodeProfile, run: (network: Network, proxy: RpcProxy) => Promise<void>) {
  const proxy = await startRpcProxy(chain.url)
  applyProfile(proxy, profile, () => head)
  const chainRpcUrl = profile.useless ? `${proxy.url},${chain.url}` : proxy.url
  const { simulator } = shared.services
  const worker = { ...testConfig().worker, pollMs: 400 }
  const network = await startNetwork({ chain, config: { chainRpcUrl, worker }, parts: { simulator } })
  try {
    await run(network, proxy)
  } finally {
    await network.close()
    await proxy.close()
  }
}

async function fundedAccount(): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.rpc('anvil_setBalance', [account.address, '0x56bc75e2d63100000'])
  return account
}

/** A step of the main job; a provider that refuses for a moment is asked again, as clients do after a 503. */
async function eventually<T>(what: string, step: () => Promise<T>, again = /\b503\b/): Promise<T> {
  let last: unknown
  let done: { readonly value: T } | undefined
  await until(what, async () => {
    try {
      done = { value: await step() }
    } catch (error) {
      if (!again.test(String(error))) throw error
      last = error
    }
    return done !== undefined
  }).catch((error: unknown) => {
    throw last ?? error
  })
  return (done as { readonly value: T }).value
}

test.concurrent.each(NODE_PROFILES.map((profile) => ({ ...profile })))(
  'publish, index, simulate and execute with a provider of $name',
  async (profile) => {
    await withProvider(profile, async (network) => {
      const account = await fundedAccount()
      // Names of its own, also when it is repeated.
      const own = account.address.slice(2, 10)
      const [step, walk] = [`step_${own}`, `walk_${own}`]
      network.startWorker()
      await eventually('drafted', () => network.draftTransformation(step, account))
      await eventually('published', () => network.publish('transformation', step, account))
      await eventually('drafted', () => network.draftConnector(walk, [step], account))
      const { address } = await eventually('published', () => network.publish('connector', walk, account))
      const run = { connector_name: walk, particles_count: 4 }
      const drawn = [{ path: '/0', data: [1, 2, 3, 4] }]
      const simulated = await network.post('/simulate', run)
      expect(simulated).toMatchObject({ status: 200 })
      expect(JSON.stringify(simulated.json)).toContain(JSON.stringify(drawn[0]?.data).slice(1, 4))
      const executed = await eventually(
        'executed',
        async () => {
          const answer = await network.post('/execute', run)
          if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.json)}`)
          return answer.json as { particles: unknown }
          // A node that is behind does not have the connector yet.
        },
        /\b(503|404)\b/,
      )
      expect(executed.particles).toEqual(simulated.json)
      const indexed = () =>
        network.api.db.sql`select address from entities where name in (${step}, ${walk}) order by kind`
      await until('indexed', async () => (await indexed()).length === 2)
      expect((await indexed())[0]?.address).toBe(address)
      const others = await network.api.db.sql`select 1 from entities where name like '%xx%'`
      expect(others.length).toBe(0)
      if (profile.shows !== undefined) {
        const { describeNodes } = await import('#lib/chain/nodes/describe-node.ts')
        const said = () => describeNodes(network.api.services.chain).flatMap(({ sentences }) => sentences)
        await until('probed', () => said().length > 0)
        expect(said().join(' ')).toMatch(profile.shows)
      }
    })
  },
)

test('a spent plan alone fails with a sentence that carries its words', async () => {
  const profile = NODE_PROFILES.find(({ useless }) => useless) as NodeProfile
  await withProvider({ ...profile, useless: undefined as never }, async (network) => {
    const answer = await network.post('/execute', { connector_name: 'walk', particles_count: 4 })
    expect(answer).toMatchObject({ status: 503, json: { message: expect.stringContaining('plan is spent') } })
  })
})

test('a plan that is paid again is asked again, when the provider said', async () => {
  const spent = {
    status: 402,
    headers: { 'Retry-After': '1' },
    body: '{"error":{"message":"plan is spent"}}',
  }
  await withProvider({ name: 'spent for now', refuse: () => spent }, async (network, proxy) => {
    const status = async () => {
      const answer = await network.post('/execute', { connector_name: 'unknown_walk', particles_count: 4 })
      return answer.status
    }
    expect(await status()).toBe(503)
    proxy.refuse = () => undefined
    expect(
      await eventually('paid', async () => {
        const answered = await status()
        if (answered === 503) throw new Error(`${answered}`)
        return answered
      }),
    ).toBe(404)
  })
})
