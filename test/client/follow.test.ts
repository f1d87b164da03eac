import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChainClient, follow } from '#lib/client/index.ts'
import { until } from '#test/support/until.ts'

/* The feed's stream as a client follows it, where the connection stays open. */

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

let open = 0
/** Sends the beginning of a stream, or nothing at all below `/mute`. */
const server = createServer((request, response) => {
  open += 1
  response.on('close', () => {
    open -= 1
  })
  if (request.url?.startsWith('/mute')) return
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(': open\n\n')
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test.each(['', '/mute'])(
  'following %s ends with its signal, whatever was collected meanwhile',
  async (path) => {
    const { port } = server.address() as AddressInfo
    const ending = new AbortController()
    const chain = createChainClient(`http://127.0.0.1:${port}${path}`)
    const ended = follow(chain, { signal: ending.signal }).next().then(String, String)
    await until('the connection is open', () => open === 1)
    // What holds the request is collected once its turn is over.
    for (let turn = 0; turn < 20; turn++) {
      await sleep(20)
      collect()
    }
    ending.abort(new Error('enough'))
    expect(await ended).toBe('Error: enough')
    if (path === '') await until('the connection is closed', () => open === 0)
  },
)
