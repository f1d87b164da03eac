import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { rpc } from '#scripts/stack/anvil.ts'
import { anyFreePort } from '#scripts/stack/ports.ts'
import { type RpcGuard, startRpcGuard } from '#scripts/stack/rpc-guard.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'

const OURS = 'http://localhost:3000'
const FOREIGN = ['http://evil.example', 'null', 'http://localhost:3001', 'https://localhost:3000', '']
const MINE = '{"jsonrpc":"2.0","id":1,"method":"anvil_mine","params":["0x1"]}'

let chain: TestChain
let guard: RpcGuard
let port: number

beforeAll(async () => {
  chain = await testChain()
  port = await anyFreePort()
  guard = await startRpcGuard({ port, target: chain.url, origins: [OURS] })
})
afterAll(async () => {
  await guard?.close()
  await chain?.close()
})

async function height() {
  return Number(await chain.rpc('eth_blockNumber'))
}

/** Raw headers, which `fetch` would not send. */
function post(
  headers: Record<string, string | string[]>,
  body = MINE,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
      },
      (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += String(chunk)
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

describe('requests', () => {
  test('programs, extensions and the site are answered, in batches and with large bodies too', async () => {
    const before = await height()
    await rpc(guard.url, 'anvil_mine', ['0x1'])
    for (const origin of [
      OURS,
      'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn',
      'moz-extension://a-b-1',
    ]) {
      expect((await post({ origin })).status).toBe(200)
    }
    expect(await height()).toBe(before + 4)
    const data = `0x${'00'.repeat(500_000)}`
    const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'web3_sha3', params: [data] }))
    const { text } = await post({}, JSON.stringify(batch))
    expect((JSON.parse(text) as unknown[]).length).toBe(2)
  })

  test('pages elsewhere are refused before the node learns of them', async () => {
    const before = await height()
    for (const origin of FOREIGN) expect((await post({ origin })).status, origin).toBe(403)
    expect((await post({ origin: [OURS, 'http://evil.example'] })).status).toBe(403)
    expect(await height()).toBe(before)
  })

  test('a name that was rebound to this machine is refused, whatever the origin', async () => {
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.evil.example',
      'localhost.evil.example',
    ]) {
      expect((await post({ host })).status, host).toBe(403)
      expect((await post({ host, origin: OURS })).status, host).toBe(403)
    }
    for (const host of [`localhost:${port}`, `[::1]:${port}`]) expect((await post({ host })).status).toBe(200)
  })

  test('CORS names the requesting origin, and no other', async () => {
    const answer = await fetch(guard.url, { method: 'OPTIONS', headers: { origin: OURS } })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe(OURS)
    expect(answer.headers.get('access-control-allow-headers')).toBe('content-type')
    const foreign = await fetch(guard.url, { method: 'OPTIONS', headers: { origin: 'http://evil.example' } })
    expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([403, null])
  })
})

describe('WebSockets', () => {
  const mineOver = (origin?: string) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(guard.url.replace('http', 'ws'), origin === undefined ? {} : { origin })
      socket.on('open', () => socket.send(MINE))
      socket.on('message', (message) => {
        resolve(String(message))
        socket.close()
      })
      socket.on('error', ({ message }) => resolve(message))
    })

  test('are opened for programs and the site only', async () => {
    const before = await height()
    expect(JSON.parse(await mineOver())).toMatchObject({ result: null })
    expect(JSON.parse(await mineOver(OURS))).toMatchObject({ result: null })
    for (const origin of FOREIGN.filter((each) => each !== ''))
      expect(await mineOver(origin)).toContain('403')
    expect(await height()).toBe(before + 2)
  })
})
