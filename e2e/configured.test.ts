import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChainClient } from '../lib/client/chain.ts'
import { publish } from '../lib/client/publish.ts'
import { signIn } from '../lib/client/sign-in.ts'
import { type AnvilNode, rpc, startAnvil } from '../scripts/stack/anvil.ts'
import { reachableDataDir } from '../scripts/stack/data-location.ts'
import { anyFreePort } from '../scripts/stack/ports.ts'
import { type PostgresServer, startPostgres } from '../scripts/stack/postgres.ts'
import type { Endpoints } from '../scripts/stack/stack.ts'
import { applyProfile, NODE_PROFILES, type NodeProfile } from '../test/support/node-profiles.ts'
import { type Program, startProgram } from '../test/support/program.ts'
import { type RpcProxy, startRpcProxy } from '../test/support/rpc-proxy.ts'
import { until } from '../test/support/until.ts'

const quick = { EXAMPLE_NETWORK: 'false' }

/** `npm run test:nodes` tries all of them. */
const ALL = process.env.NODE_PROFILES === 'all'
const SLICE = [
  'three calls a request, refused as HTTP 500',
  'events of 5 blocks',
  'a spent plan',
  'events that never happened',
]
const profiles = NODE_PROFILES.filter(({ name }) => ALL || SLICE.includes(name))

describe('npm start with a database and a chain of your own', () => {
  let folder: string
  let database: PostgresServer
  let chain: AnvilNode
  let program: Program | undefined
  let endpoints: Endpoints
  /** In front of the chain, with the habits of a provider. */
  let provider: RpcProxy
  let head = 0
  /** Answers of the provider that a plain node would not have given. */
  let odd = 0
  const ending = new AbortController()
  let mining: Promise<void> | undefined

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weft-configured-'))
    database = await startPostgres({
      dataDir: reachableDataDir(join(folder, 'own-postgres')),
      port: await anyFreePort(),
      password: 'own',
      settings: ['fsync=off'],
    })
    chain = await startAnvil({ port: await anyFreePort(), chainId: 1337 })
    provider = await startRpcProxy(chain.url)
    await rpc(chain.url, 'anvil_mine', ['0x60'])
    mining = mine()
  })
  afterAll(async () => {
    await program?.stop()
    ending.abort()
    await mining
    await provider.close()
    await chain.stop()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const own = () => ({ ...quick, DATABASE_URL: database.url(), CHAIN_RPC_URL: chain.url })

  /** Providers that are behind need a chain that goes on. */
  async function mine(): Promise<void> {
    while (!ending.signal.aborted) {
      await rpc(chain.url, 'anvil_mine', ['0x1'])
      head = Number(await rpc(chain.url, 'eth_blockNumber'))
      await sleep(400, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  }

  function choose(profile: NodeProfile): void {
    odd = 0
    applyProfile(provider, profile, () => head)
    const { refuse, intervene } = provider
    provider.refuse = (calls) => counted(refuse(calls))
    provider.intervene = (call) => counted(intervene(call))
  }

  it('starts neither of them, and deploys on a development chain', { timeout: 900_000 }, async () => {
    // What it probes while it starts is then shown.
    const [first] = profiles as [NodeProfile]
    choose(first)
    program = startProgram(join(folder, 'data'), { ...own(), CHAIN_RPC_URL: provider.url })
    endpoints = await program.ready()
    expect(endpoints).toMatchObject({ chainRpc: provider.url, chainId: 1337 })
    expect(program.output()).not.toContain('Starting PostgreSQL')
    expect(program.output()).not.toContain('Starting the development chain')
    const accounts = await fetch(`${endpoints.chainApi}/accounts?limit=1`)
    expect(await accounts.json()).toMatchObject({ total_accounts: 0 })
    await until('probed', async () => first.shows?.test(JSON.stringify(await status())) ?? false)
  })

  function counted<T>(answer: T | undefined): T | undefined {
    if (answer !== undefined) odd += 1
    return answer
  }

  async function status(): Promise<{ nodes: readonly { state: string; words: string | null }[] }> {
    return (await fetch(`${endpoints.site}/status.json`)).json() as never
  }

  /** Repeats a step of the main job that a provider refused for a moment, as clients do after a 503. */
  async function eventually<T>(what: string, step: () => Promise<T>): Promise<T> {
    let value: T | undefined
    let last: unknown
    const done = async () => {
      try {
        value = await step()
        return true
      } catch (error) {
        last = error
        return false
      }
    }
    await until(what, done, 120_000).catch((late: unknown) => {
      throw last ?? late
    })
    return value as T
  }

  it.each(profiles.filter(({ useless }) => !useless))(
    'publishes, observes and executes through a provider of $name',
    { timeout: 240_000 },
    async (profile) => {
      choose(profile)
      // More than any of them lets a worker read at once.
      await rpc(chain.url, 'anvil_mine', ['0x28'])
      const chainApi = createChainClient(endpoints.chainApi)
      const account = privateKeyToAccount(generatePrivateKey())
      await rpc(chain.url, 'anvil_setBalance', [account.address, '0x56bc75e2d63100000'])
      const own = account.address.slice(2, 10)
      const [step, walk] = [`step_${own}`, `walk_${own}`]
      await eventually('drafted', async () => {
        const headers = { Authorization: `Bearer ${await signIn(chainApi, account)}` }
        const kept = await chainApi.POST('/transformation', {
          body: { name: step, sol_src: 'return x + args[0];' },
          headers,
        })
        if (![201, 409].includes(kept.response.status)) throw new Error(JSON.stringify(kept.error))
        const transformations = [{ name: step, args: [1] }]
        const made = await chainApi.POST('/connector', {
          body: { name: walk, dimensions: [{ transformations }] } as never,
          headers,
        })
        if (![201, 409].includes(made.response.status)) throw new Error(JSON.stringify(made.error))
      })
      const published = await eventually('published', () =>
        publish(chainApi, account, { kind: 'connector', name: walk }),
      )
      const { address } = published.at(-1) ?? {}
      const run = { connector_name: walk, particles_count: 4 }
      const simulated = await chainApi.POST('/simulate', { body: run as never })
      const executed = await eventually('executed', async () => {
        const { data, error } = await chainApi.POST('/execute', { body: run as never })
        if (data === undefined) throw new Error(JSON.stringify(error))
        return data as { particles: unknown }
      })
      expect(executed.particles).toEqual(simulated.data)
      await until(
        'observed',
        async () => {
          const feed = await (await fetch(`${endpoints.chainApi}/feed?limit=20`)).json()
          return JSON.stringify(feed).includes(walk)
        },
        120_000,
      )
      const found = await fetch(`${endpoints.chainApi}/connector/${walk}`)
      expect(await found.json()).toMatchObject({ address })
      const feed = JSON.stringify(await (await fetch(`${endpoints.chainApi}/feed?limit=100`)).json())
      expect(feed).not.toContain('xxxx')
      if (ALL) console.info(`${profile.name}: ${odd} refused or changed`)
    },
  )

  it.each(profiles.filter(({ useless }) => useless))(
    'says what a provider of $name says',
    async (profile) => {
      choose(profile)
      const body = JSON.stringify({ connector_name: 'walk', particles_count: 4 })
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${endpoints.chainApi}/execute`, { method: 'POST', headers, body })
      expect(answer.status).toBe(503)
      expect(await answer.text()).toContain('plan is spent')
      await until('shown', async () => (await status()).nodes[0]?.words?.includes('plan is spent') ?? false)
    },
  )

  // A minute, as the provider says nothing of when.
  it.runIf(ALL)('asks a provider again whose plan is paid', async () => {
    choose({ name: 'paid' })
    const body = JSON.stringify({ connector_name: 'walk', particles_count: 4 })
    const headers = { 'content-type': 'application/json' }
    const answer = () => fetch(`${endpoints.chainApi}/execute`, { method: 'POST', headers, body })
    await until('answered', async () => (await answer()).status !== 503, 150_000)
    await until('shown', async () => (await status()).nodes[0]?.state === 'answers')
  })

  it('uses the configured contracts, and says what its operator says', async () => {
    await program?.stop()
    const { registry, runner } = endpoints
    program = startProgram(join(folder, 'other'), {
      ...own(),
      REGISTRY_ADDRESS: registry,
      RUNNER_ADDRESS: runner,
      SITE_NAME: 'Loom & <Co>',
      SITE_SENTENCE: 'A place for loops.',
      SITE_IMPRINT: 'https://weft.example/imprint',
      SITE_CONTACT: 'mailto:us@weft.example',
    })
    const started = await program.ready()
    expect(started).toMatchObject({ registry, runner })
    const page = await (await fetch(started.site, { headers: { accept: 'text/html' } })).text()
    expect(page).toContain('<title>Loom &amp; &lt;Co&gt;: music')
    expect(page).toMatch(/<h1[^>]*>A place for loops\.<\/h1>/)
    expect(page).toContain('href="https://weft.example/imprint"')
    expect(page).toContain('href="mailto:us@weft.example"')
    expect(page).not.toContain('Privacy')
    const feed = await (await fetch(`${started.site}/feed.xml`)).text()
    expect(feed).toContain('<title>Loom &amp; &lt;Co&gt;</title>')
    await program.stop()
  })

  it('reports that there is no contract at the address', async () => {
    program = startProgram(join(folder, 'other'), {
      ...own(),
      REGISTRY_ADDRESS: `0x${'1'.repeat(40)}`,
      RUNNER_ADDRESS: endpoints.runner,
    })
    expect((await program.ended()).code).toBe(1)
    expect(program.output()).toContain('there is no contract at that address on chain 1337')
  })

  it('refuses a chain with another id than the configured one', async () => {
    program = startProgram(join(folder, 'other'), { ...own(), CHAIN_ID: '1' })
    expect((await program.ended()).code).toBe(1)
    expect(program.output()).toContain('CHAIN_ID is 1, but the chain at')
  })
})
