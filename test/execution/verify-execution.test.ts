import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devAccount, type Network, startNetwork } from '../publication/network.ts'

const owner = devAccount(0)
let network: Network
let base: string
/** Added to every value on its way out: a server that lies. */
let lie = 0

const server = createServer((request, response) => {
  void (async () => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const answer = await network.api.call(
      request.method ?? 'GET',
      request.url?.slice('/chain'.length) ?? '/',
      {
        text: Buffer.concat(chunks).toString(),
      },
    )
    const body = answer.body as { particles: { data: number[] }[] }
    for (const { data } of body.particles) data[0] = (data[0] ?? 0) + lie
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })()
})

beforeAll(async () => {
  network = await startNetwork()
  await network.draftTransformation('add', owner)
  await network.publish('transformation', 'add', owner)
  await network.draftConnector('pitch', ['add'], owner)
  await network.publish('connector', 'pitch', owner)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  base = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/chain`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await network?.close()
})

function verify() {
  return promisify(execFile)(process.execPath, [
    'examples/verify-execution.ts',
    base,
    network.chain.url,
    'pitch',
    '20',
  ])
}

test('the example agrees with an honest server, and catches one that lies', async () => {
  lie = 0
  expect((await verify()).stdout).toMatch(/pitch: 1 path\(s\) of 20 particles, the same at block \d+/)
  lie = 1
  await expect(verify()).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/differs/) })
})
