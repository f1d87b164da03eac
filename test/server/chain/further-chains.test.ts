import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectChain } from '#lib/chain/access.ts'
import { alsoOn } from '#lib/core/entities/also-on.ts'
import { startIndexer } from '#lib/core/indexer/indexer.ts'
import { reindex } from '#lib/core/indexer/reindex/reindex.ts'
import type { ConfigOfChain } from '#lib/platform/config.ts'
import { chainDatabaseUrl } from '#lib/platform/db/chain-schema.ts'
import { migrate } from '#lib/platform/db/migrate.ts'
import { createChainDispatcher } from '#lib/server/operations/chain/dispatcher.ts'
import { perChain } from '#lib/server/operations/per-chain.ts'
import { readChainStatuses } from '#lib/server/status/chain-statuses.ts'
import { chainEntityView, chainView, searchElsewhere } from '#lib/views/chains.ts'
import { devAccount, type Network, networkOver, startNetwork } from '#test/core/publication/network.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'
import { chainConfig, strandedConfig } from '#test/support/chain-config.ts'
import { contextOf } from '#test/support/context.ts'
import { until } from '#test/support/until.ts'
import { type Answer, callsTo, messageOf, type TestApi } from './harness.ts'

const SECOND = 1337
/** Its node does not answer. */
const DEAD = 8453
/** Without tables. */
const NEW = 10

let chains: readonly TestChain[]
let first: Network
let second: Network<Pick<TestApi, 'call' | 'token' | 'services'>>
let dispatch: (request: Request) => Promise<Response>
const ending = new AbortController()
let worker: Promise<void>
const [alice, bob] = [devAccount(1), devAccount(2)]

beforeAll(async () => {
  chains = await Promise.all([testChain(), testChain({ chainId: SECOND })])
  const [own, other] = chains as [TestChain, TestChain]
  // Filled below: the address of the database is known once there is one.
  const furtherChains: ConfigOfChain[] = []
  first = await startNetwork({ chain: own, config: { furtherChains } })
  const { services } = first.api
  const further = (chainId: number, config: ReturnType<typeof chainConfig>) => ({
    ...services.config,
    ...config,
    chainId,
    databaseUrl: chainDatabaseUrl(services.config.databaseUrl, chainId),
    furtherChains: [],
  })
  const followed = further(SECOND, chainConfig(other))
  furtherChains.push(followed, further(DEAD, strandedConfig(other)), further(NEW, chainConfig(other)))
  for (const { chainId, databaseUrl } of furtherChains) if (chainId !== NEW) await migrate(databaseUrl)
  dispatch = perChain(
    '/chain',
    async () => services,
    (options) => createChainDispatcher({ ...options, validateResponses: true }),
  )
  const ofSecond = await services.chains.on(SECOND)
  second = networkOver(other, {
    services: ofSecond,
    ...callsTo(dispatch, `/chains/${SECOND}/chain`, ofSecond),
  })
  first.startWorker()
  const chain = await connectChain(followed)
  worker = startIndexer({ ...ofSecond, chain }, { signal: ending.signal }).done
  // The same name and nearly the same body on both chains.
  await first.draftTransformation('step', alice, 'return x + args[0];')
  await second.draftTransformation('step', bob, 'return x + 2 * args[0];')
  await Promise.all([
    first.publish('transformation', 'step', alice),
    second.publish('transformation', 'step', bob),
  ])
  await Promise.all(
    [first, second].map((network) => until('indexed', async () => (await items(network)).length > 0)),
  )
})
afterAll(async () => {
  ending.abort()
  await worker
  await first?.close()
  await Promise.all((chains ?? []).map((chain) => chain.close()))
})

type Callable = Pick<Network<Pick<TestApi, 'call'>>, 'api'>

async function items({ api }: Callable) {
  const { body } = await api.call('GET', '/feed?limit=10')
  return (body as { items: { payload: { name: string; owner: string } }[] }).items
}

function to(chainId: number | string) {
  return callsTo(dispatch, `/chains/${chainId}/chain`, first.api.services)
}

test('one name is another entity on each chain', async () => {
  const owners = { first: alice.address, second: bob.address }
  for (const [which, network] of Object.entries({ first, second })) {
    const owner = owners[which as keyof typeof owners].toLowerCase()
    const { body } = await network.api.call('GET', '/transformation/step')
    expect(body).toMatchObject({ owner: owner.slice(2) })
    expect((await items(network)).map(({ payload }) => payload)).toEqual([
      { type: 'transformation', name: 'step', owner },
    ])
    await network.draftConnector('walk', ['step'], which === 'first' ? alice : bob)
  }
  const values = async ({ api }: Callable) =>
    (
      (await api.call('POST', '/simulate', { body: { connector_name: 'walk', particles_count: 3 } }))
        .body as [{ data: number[] }]
    )[0].data
  expect(await values(first)).toEqual([0, 1, 2])
  expect(await values(second)).toEqual([0, 2, 4])
})

/** What programs rely on, of the default chain and of a further one. */
describe.each(['first', 'second'] as const)('the API of the %s chain', (which) => {
  const network = () => (which === 'first' ? first : second)
  const call = (...args: Parameters<TestApi['call']>): Promise<Answer> => network().api.call(...args)
  const owner = which === 'first' ? alice : bob

  test('200: version, lists, formats, an account', async () => {
    expect((await call('GET', '/version')).status).toBe(200)
    expect((await call('GET', '/accounts?limit=5')).body).toMatchObject({ total_accounts: 1 })
    expect((await call('GET', `/account/${owner.address}?limit=5`)).body).toMatchObject({
      owned_transformations: ['step'],
    })
    expect((await call('GET', '/formats?limit=5')).status).toBe(200)
    expect((await call('HEAD', '/transformation/step')).status).toBe(200)
  })

  test('400, 401, 404, 405, 409', async () => {
    const body = { name: 'step', sol_src: 'return x;' }
    const token = await network().api.token(owner.address.toLowerCase() as `0x${string}`)
    expect((await call('GET', '/accounts?limit=0')).status).toBe(400)
    expect((await call('POST', '/transformation', { body })).status).toBe(401)
    expect((await call('GET', '/transformation/none')).status).toBe(404)
    expect((await call('GET', '/nothing')).status).toBe(404)
    expect((await call('DELETE', '/version')).status).toBe(405)
    expect((await call('POST', '/transformation', { body, token })).status).toBe(409)
  })

  test('any page may read it', async () => {
    const { headers } = await call('GET', '/version', { headers: { origin: 'https://other.example' } })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const preflight = await call('OPTIONS', '/simulate', {
      headers: { 'access-control-request-method': 'POST', origin: 'https://other.example' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
  })

  test('publishes and executes on its own chain', async () => {
    await network().publish('connector', 'walk', owner)
    const run = { connector_name: 'walk', particles_count: 2 }
    const executed = await call('POST', '/execute', { body: run })
    const simulated = await call('POST', '/simulate', { body: run })
    expect(executed.body).toMatchObject({ particles: simulated.body })
    await until('indexed', async () => (await items(network())).length === 2)
  })
})

test('what is published on both is known to be the same, and a name alone is not', async () => {
  await first.draftTransformation('same', alice, 'return x + 7;')
  await second.draftTransformation('same', bob, 'return x + 7;')
  await Promise.all([
    first.publish('transformation', 'same', alice),
    second.publish('transformation', 'same', bob),
  ])
  const elsewhere = async ({ api: { services } }: Pick<typeof second, 'api'>, name: string) => {
    const [row] = await services.db.sql<{ hash: `0x${string}` }[]>`
      select content_hash as hash from entities where kind = 'transformation' and name = ${name}`
    return row && alsoOn(services, 'transformation', name, row.hash)
  }
  await until('indexed', async () => (await elsewhere(first, 'same'))?.length === 1)
  await until('indexed', async () => (await elsewhere(second, 'same'))?.length === 1)
  const path = '/transformations/same'
  expect(await elsewhere(first, 'same')).toMatchObject([
    { chainId: SECOND, path: `/chains/${SECOND}${path}` },
  ])
  expect(await elsewhere(second, 'same')).toMatchObject([{ chainId: 31_337, path }])
  expect(await elsewhere(first, 'step')).toEqual([])
})

describe('pages', () => {
  const context = () => contextOf(first.api.services)

  test('list what a further chain has, and show it with what it names there', async () => {
    const listed = await chainView(context(), String(SECOND), { kind: 'transformation' })
    if (listed?.closed !== undefined || listed === undefined) throw new Error('The chain is not read')
    expect(listed.value.rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['same', 'step']))
    expect(listed.value.choices.map(({ href, current }) => [href, current])).toEqual([
      ['/feed', false],
      [`/chains/${SECOND}`, true],
      [`/chains/${DEAD}`, false],
      [`/chains/${NEW}`, false],
    ])
    const shown = await chainEntityView(context(), String(SECOND), 'transformation', 'same')
    expect(shown).toMatchObject({
      value: {
        owner: bob.address.toLowerCase(),
        otherChains: [{ chainId: 31_337, path: '/transformations/same' }],
      },
    })
    expect(await chainEntityView(context(), String(SECOND), 'condition', 'same')).toMatchObject({
      value: undefined,
    })
  })

  test('say that a chain cannot be read, and know no others', async () => {
    expect(await chainView(context(), String(NEW), {})).toMatchObject({
      closed: expect.stringContaining('cannot be read'),
    })
    for (const id of ['5', `0${SECOND}`, String(first.chain.chainId), 'x']) {
      expect(await chainView(context(), id, {}), id).toBeUndefined()
    }
  })

  test('a search finds names on further chains, whatever the state of the others', async () => {
    const found = await searchElsewhere(context(), 'same')
    expect(found.map(({ chain, hits }) => [chain.chainId, hits])).toEqual([
      [
        SECOND,
        [
          {
            kind: 'transformation',
            name: 'same',
            owner: bob.address.toLowerCase(),
            href: `/chains/${SECOND}/transformations/same`,
          },
        ],
      ],
    ])
  })
})

test('the document of a further chain names its server', async () => {
  const { body } = await to(SECOND).call('GET', '/openapi.json')
  expect(body).toMatchObject({ servers: [{ url: `/chains/${SECOND}/chain` }] })
})

test('the default chain answers below its id, too', async () => {
  const { body } = await to(first.chain.chainId).call('GET', '/transformation/step')
  expect(body).toMatchObject({ owner: alice.address.toLowerCase().slice(2) })
})

test('404 with the chains there are: an unknown id, and other spellings of a known one', async () => {
  for (const id of ['5', '01337', '0x539', '1337.0', '%20', '99999999999999999999']) {
    const answer = await to(id).call('GET', '/version')
    expect(answer.status, id).toBe(404)
    expect(messageOf(answer)).toContain('its chains are 31337, 1337, 8453, 10')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  }
})

test('401: a token is for the chain that issued it', async () => {
  const address = alice.address.toLowerCase() as `0x${string}`
  const [ofFirst, ofSecond] = [await first.api.token(address), await second.api.token(address)]
  const body = { name: 'mine', sol_src: 'return x;' }
  const create = (network: Callable, token: string) =>
    network.api.call('POST', '/transformation', { body, token })
  expect((await create(first, ofSecond)).status).toBe(401)
  expect((await create(second, ofFirst)).status).toBe(401)
  expect((await create(second, ofSecond)).status).toBe(201)
  expect((await first.api.call('GET', '/transformation/mine')).status).toBe(404)
})

test('a chain whose node is away serves its tables and fails alone; one without tables says what is missing', async () => {
  const dead = to(DEAD)
  expect((await dead.call('GET', '/feed?limit=5')).body).toMatchObject({ items: [] })
  const run = { body: { connector_name: 'walk', particles_count: 2 } }
  expect((await dead.call('POST', '/execute', run)).status).toBe(503)
  expect((await first.api.call('POST', '/execute', run)).status).toBe(200)
  const missing = await to(NEW).call('GET', '/version')
  expect(missing.status).toBe(503)
  expect(messageOf(missing)).toContain('npm run worker -- --chain 10')
  const statuses = await readChainStatuses(first.api.services)
  expect(statuses.map(({ chainId, status }) => [chainId, status.degraded.length === 0])).toEqual([
    [SECOND, true],
    [DEAD, false],
    [NEW, false],
  ])
  expect(statuses[0]?.status.feed?.writer).not.toBeNull()
})

test('a reindex of each chain finds nothing different', async () => {
  for (const { services } of [first.api, second.api]) {
    const { tables } = await reindex(services, { replace: false })
    expect(tables.flatMap(({ differences }) => differences)).toEqual([])
    expect(tables.find(({ table }) => table === 'entities')?.rows).toBe(3)
  }
})
