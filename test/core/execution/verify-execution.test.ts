import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen, stop } from '#test/support/listen.ts'
import { devAccount, type Network, startNetwork } from '../publication/network.ts'

const owner = devAccount(0)
let network: Network
let base: string
/** Added to every value on its way out: a server that lies. */
let lie = 0

const server = createServer(async (request, response) => {
  const path = request.url?.slice('/chain'.length) ?? '/'
  const answer = await network.api.send(request.method ?? 'GET', path, { text: await text(request) })
  const body = answer.json as { particles: { data: number[] }[] }
  for (const { data } of body.particles) data[0] = (data[0] ?? 0) + lie
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})

beforeAll(async () => {
  network = await startNetwork()
  await network.draftTransformation('add', owner)
  await network.publish('transformation', 'add', owner)
  await network.draftConnector('pitch', ['add'], owner)
  await network.publish('connector', 'pitch', owner)
  base = `http://127.0.0.1:${await listen(server)}/chain`
})
afterAll(async () => {
  await stop(server)
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
