import { createServer } from 'node:http'
import { numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectChain } from '#lib/chain/access.ts'
import { isOurDevChain } from '#lib/core/context/own-dev-chain.ts'
import { mineBlocks, openDevChain, reorganise } from '#lib/features/dev-chain/dev-chain.ts'
import { createDevPanelDispatcher } from '#lib/features/dev-chain/panel.ts'
import { type Connection, connections, followConnections, isLocalPage } from '#lib/server/http/connection.ts'
import { anyFreePort } from '#scripts/stack/ports.ts'
import { bareServices } from '#test/support/bare-services.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'
import { testConfig } from '#test/support/config.ts'
import { listen } from '#test/support/listen.ts'

describe('whose chain may be pushed around', () => {
  const local = { chainRpcUrl: 'http://127.0.0.1:8545' }
  test.each([
    [local, 31_337, true],
    [local, 1337, true],
    [{ chainRpcUrl: 'http://localhost:8545' }, 31_337, true],
    [{ chainRpcUrl: 'http://[::1]:8545' }, 31_337, true],
    [local, 1, false],
    [local, 11_155_111, false],
    [local, null, false],
    [{ ...local, devPanel: false }, 31_337, false],
    [{ chainRpcUrl: 'https://rpc.example' }, 31_337, false],
    [{ chainRpcUrl: 'http://127.0.0.1.rpc.example' }, 31_337, false],
    [{ chainRpcUrl: 'http://10.0.0.7:8545' }, 31_337, false],
    [{}, 31_337, false],
    [{ chainRpcUrl: 'http://127.200.3.4:8545' }, 31_337, true],
    [{ ...local, host: '::1', siteOrigin: 'http://[::1]:3000' }, 31_337, true],
    [{ ...local, host: '0.0.0.0' }, 31_337, false],
    [{ ...local, host: '::' }, 31_337, false],
    [{ ...local, host: '192.168.1.5' }, 31_337, false],
    [{ ...local, siteOrigin: 'https://weft.example' }, 31_337, false],
    [{ ...local, siteOrigin: 'http://localhost.evil.example:3000' }, 31_337, false],
    [{ ...local, trustedProxies: 1 }, 31_337, false],
  ])('%j with id %s: %s', (config, chainId, expected) => {
    expect(isOurDevChain({ config: testConfig(config) }, chainId)).toBe(expected)
  })
})

const ours = 'http://localhost:3000'

describe('which requests may', () => {
  const local = { remoteAddress: '127.0.0.1', localAddress: '127.0.0.1', localPort: 3000 }
  test.each<[string, string | null, Connection | undefined, boolean]>([
    ['a page of the site', ours, local, true],
    ['a page under another name of this machine', 'http://127.0.0.1:3000', local, true],
    ['a page over IPv6', 'http://[::1]:3000', { ...local, remoteAddress: '::1', localAddress: '::1' }, true],
    ['an IPv4 client of an IPv6 socket', ours, { ...local, remoteAddress: '::ffff:127.0.0.1' }, true],
    ['no connection known', ours, undefined, false],
    ['another machine with our origin', ours, { ...local, remoteAddress: '192.168.1.9' }, false],
    ['this machine over a public interface', ours, { ...local, localAddress: '192.168.1.5' }, false],
    ['a proxy on this machine', ours, { ...local, proxied: true }, false],
    ['no origin', null, local, false],
    ['an opaque origin', 'null', local, false],
    ['a page on another port', 'http://localhost:5173', local, false],
    ['a name rebound to this machine', 'http://evil.example:3000', local, false],
    ['a name that begins like ours', 'http://localhost.evil.example:3000', local, false],
    ['two origins', `${ours}, ${ours}`, local, false],
    ['another scheme', 'https://localhost:3000', local, false],
  ])('%s', (_what, origin, connection, expected) => {
    expect(isLocalPage(ours, origin, connection)).toBe(expected)
  })

  test('the connection is recorded for whatever handles the request, with what a proxy added', async () => {
    followConnections()
    const seen: (Connection | undefined)[] = []
    const server = createServer(async (_request, response) => {
      await new Promise(setImmediate)
      seen.push(connections().getStore())
      response.end()
    })
    const port = await listen(server)
    onTestFinished(() => void server.close())
    await fetch(`http://127.0.0.1:${port}`)
    await fetch(`http://127.0.0.1:${port}`, { headers: { 'x-forwarded-for': '127.0.0.1' } })
    const both = { remoteAddress: '127.0.0.1', localAddress: '127.0.0.1', localPort: port }
    expect(seen).toEqual([
      { ...both, proxied: false },
      { ...both, proxied: true },
    ])
    expect(seen.map((each) => isLocalPage(ours, ours, each))).toEqual([true, false])
  })
})

describe('on a node', () => {
  let chain: TestChain
  beforeAll(async () => {
    // `finalized` is eight blocks behind the head.
    chain = await testChain({ slotsInAnEpoch: 4 })
    await chain.rpc('anvil_mine', [numberToHex(20)])
  })
  afterAll(() => chain?.close())

  const open = async (chainRpcUrl: string) => {
    const config = testConfig({
      chainRpcUrl,
      registryAddress: chain.registry,
      runnerAddress: chain.runner,
    })
    return openDevChain({ config, chain: await connectChain(config) })
  }
  const client = async () => {
    const found = await open(chain.url)
    if (found === undefined) throw new Error('not our development chain')
    return found
  }
  const head = () => chain.publicClient.getBlock()

  test('the id is the node’s own word: another chain behind a local address is not ours', async () => {
    expect(await open(chain.url)).toBeDefined()
    await chain.rpc('anvil_setChainId', [5])
    try {
      expect(await open(chain.url)).toBeUndefined()
    } finally {
      await chain.rpc('anvil_setChainId', [31_337])
    }
  })

  test('a node that does not answer is a failure, not an open door', async () => {
    const nobody = `http://127.0.0.1:${await anyFreePort()}`
    await expect(open(nobody)).rejects.toMatchObject({ code: 'chain_unavailable' })
  })

  test('mines the requested number of blocks', async () => {
    const before = await head()
    await mineBlocks(await client(), 3)
    expect((await head()).number).toBe(before.number + 3n)
    for (const blocks of [0, 65, 1.5, Number.NaN]) {
      await expect(mineBlocks(await client(), blocks)).rejects.toMatchObject({ code: 'invalid_request' })
    }
  })

  test('the panel answers a script with JSON, and a form with the feed', async () => {
    const config = testConfig({
      ...{ chainRpcUrl: chain.url, registryAddress: chain.registry, runnerAddress: chain.runner },
      siteOrigin: ours,
    })
    const services = bareServices({ config, chain: await connectChain(config) })
    const panel = createDevPanelDispatcher({ services: async () => services })
    const here = { remoteAddress: '127.0.0.1', localAddress: '127.0.0.1', localPort: 3000 }
    const send = async (body: BodyInit | null, accept = 'application/json') => {
      const headers = { origin: ours, accept }
      const request = new Request(`${ours}/dev/chain/mine`, { method: 'POST', headers, body })
      const response = await connections().run(here, () => panel(request))
      const type = response.headers.get('content-type')
      return [response.status, type, response.headers.get('location'), await response.text()]
    }
    const form = new FormData()
    form.set('blocks', '2')
    const before = await head()
    const done = [200, 'application/json', null, '{"message":"Mined 2 blocks."}']
    expect(await send(form)).toEqual(done)
    expect(await send(new URLSearchParams({ blocks: '2' }))).toEqual(done)
    expect(await send(form, 'text/html')).toEqual([303, null, '/feed', ''])
    expect((await head()).number).toBe(before.number + 6n)
    const refusal = 'Blocks to mine must be a whole number from 1 to 64'
    const wrong = new URLSearchParams({ blocks: 'x' })
    expect(await send(wrong)).toEqual([400, 'application/json', null, JSON.stringify({ message: refusal })])
    expect(await send(wrong, '*/*')).toEqual([400, 'text/plain; charset=utf-8', null, `${refusal}\n`])
    expect((await send(null))[0]).toBe(400)
    expect((await send(new URLSearchParams({ blocks: '1'.repeat(5000) })))[0]).toBe(413)
  })

  test('replaces blocks, with or without their transactions, and never a finalized one', async () => {
    const wallet = chain.wallet(2)
    const send = async () => {
      const hash = await wallet.sendTransaction({ to: wallet.account.address, value: 1n })
      await chain.publicClient.waitForTransactionReceipt({ hash })
      return hash
    }
    const kept = await send()
    const before = await head()
    await reorganise(await client(), { depth: 1, keepTransactions: true })
    const after = await head()
    expect(after.number).toBe(before.number)
    expect(after.hash).not.toBe(before.hash)
    expect(after.transactions).toEqual([kept])

    await send()
    await reorganise(await client(), { depth: 1, keepTransactions: false })
    expect((await head()).transactions).toEqual([])

    for (const depth of [0, -1, 65, Number.NaN, 20]) {
      await expect(reorganise(await client(), { depth, keepTransactions: false })).rejects.toMatchObject({
        code: 'invalid_request',
      })
    }
  })
})
