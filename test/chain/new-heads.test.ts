import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { connectChain } from '#lib/chain/access.ts'
import { type DescribedNode, describeNodes } from '#lib/chain/nodes/describe-node.ts'
import { testChain } from '#test/support/chain.ts'
import { startRpcProxy } from '#test/support/rpc-proxy.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})

async function anvil() {
  const chain = await testChain()
  cleanups.push(() => chain.close())
  return chain
}

/** A WebSocket that answers each message with a method not found. */
async function withoutSubscriptions(): Promise<{ url: string; connections: () => number }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  let connections = 0
  server.on('connection', (socket: WebSocket) => {
    connections += 1
    socket.on('message', (data) => {
      const { id } = JSON.parse(String(data)) as { id: number }
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'no such method' } }))
    })
  })
  cleanups.push(() => {
    for (const client of server.clients) client.terminate()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { url: `ws://127.0.0.1:${port}`, connections: () => connections }
}

async function described(
  chainRpcUrl: string,
  chainWsUrl?: string,
  newHeads?: boolean,
): Promise<DescribedNode> {
  const contract = `0x${'1'.repeat(40)}`
  const chain = await connectChain({
    ...{ chainRpcUrl, chainWsUrl, registryAddress: contract, runnerAddress: contract },
    node: { newHeads },
  })
  await chain?.nodes.probe(chain.registry)
  return describeNodes(chain)[0] as DescribedNode
}

const OFFERS = /announces new blocks over a WebSocket: CHAIN_WS_URL/
const LACKS = /offers no WebSocket at this address: the worker polls/

test('a node with a WebSocket at its own address is found to announce blocks', async () => {
  const { url } = await anvil()
  const node = await described(url)
  expect(node.newHeads).toBe(true)
  expect(node.sentences.join(' ')).toMatch(OFFERS)
})

test('so is one whose WebSocket is where CHAIN_WS_URL leads', async () => {
  const { url } = await anvil()
  const { url: proxy } = await startedProxy(url)
  expect((await described(proxy)).newHeads).toBe(false)
  expect((await described(proxy, url.replace(/^http/, 'ws'))).newHeads).toBe(true)
})

test('a node without a WebSocket, or without subscriptions, is found to have none', async () => {
  const { url } = await anvil()
  const proxy = await startedProxy(url)
  const plain = await described(proxy.url)
  expect(plain.newHeads).toBe(false)
  expect(plain.sentences.join(' ')).toMatch(LACKS)
  const refusing = await withoutSubscriptions()
  expect((await described(proxy.url, refusing.url)).newHeads).toBe(false)
  expect(refusing.connections()).toBe(1)
})

test('a WebSocket of another host says nothing of a node', async () => {
  const { url } = await anvil()
  const refusing = await withoutSubscriptions()
  expect((await described(url, refusing.url.replace('127.0.0.1', 'localhost'))).newHeads).toBe(true)
  expect(refusing.connections()).toBe(0)
})

test('NODE_NEW_HEADS overrides the probe', async () => {
  const { url } = await anvil()
  const refusing = await withoutSubscriptions()
  expect((await described(url, refusing.url, true)).newHeads).toBe(true)
  expect((await described(url, undefined, false)).newHeads).toBe(false)
  expect(refusing.connections()).toBe(0)
})

async function startedProxy(url: string) {
  const proxy = await startRpcProxy(url)
  cleanups.push(() => proxy.close())
  return proxy
}
