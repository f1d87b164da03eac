import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectChain } from '#lib/chain/access.ts'
import { startTracing } from '#lib/platform/telemetry/start-tracing.ts'
import { traced } from '#lib/platform/telemetry/tracing.ts'
import { createChainDispatcher } from '#lib/server/operations/chain/dispatcher.ts'
import { type Served, servedByNode } from '#test/server/http/adapters.ts'
import { devAccount } from '#test/support/chain.ts'
import { listen } from '#test/support/listen.ts'
import { startTestStack, type TestStack } from '#test/support/stack.ts'
import { type ReceivedSpan, startReceiver, type TraceReceiver } from './receiver.ts'

const pollOptions = { interval: 100 }

let receiver: TraceReceiver
let endTracing: () => Promise<void>
let stack: TestStack
let served: Served

beforeAll(async () => {
  receiver = await startReceiver()
  const headers = { 'x-key': 'key-of-the-receiver' }
  endTracing = await startTracing({ endpoint: receiver.endpoint, headers, ratio: 1, service: 'weft-test' })
  stack = await startTestStack()
  served = await servedByNode(createChainDispatcher({ services: async () => stack.services }))
})
afterAll(async () => {
  await served?.close()
  await stack?.close()
  await endTracing?.()
  await receiver?.close()
})

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'

/** The names from the outermost span to this one. */
function pathOf(span: ReceivedSpan): string[] {
  const parent = receiver.spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [...(parent === undefined ? [] : pathOf(parent)), span.name]
}
function paths(traceId: string): string[] {
  return receiver.spans.filter((span) => span.traceId === traceId).map((span) => pathOf(span).join(' > '))
}

function create(name: string, traceparent: string, token: string) {
  return served.send('/chain/transformation', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, traceparent },
    body: JSON.stringify({ name, sol_src: 'return x + 41;' }),
  })
}

test('a request is traced from its caller down to the statement, the thread and the call to the node', async () => {
  const token = await stack.token(devAccount(0).address.toLowerCase() as `0x${string}`)
  const answer = await create('traced', `00-${TRACE}-${CALLER}-01`, token)
  expect(answer.status).toBe(201)
  const request = 'POST /chain/transformation'
  await expect
    .poll(() => paths(TRACE), pollOptions)
    .toEqual(
      expect.arrayContaining([
        request,
        `${request} > POST_transformation`,
        `${request} > POST_transformation > thread solidity`,
        expect.stringMatching(`^${request} > POST_transformation > rpc eth_`),
        expect.stringMatching(`^${request} > POST_transformation > sql insert`),
      ]),
    )
  const root = receiver.spans.find(({ name, traceId }) => traceId === TRACE && name === request)
  expect(root).toMatchObject({
    service: 'weft-test',
    parentSpanId: CALLER,
    failed: false,
    attributes: {
      'http.request.method': 'POST',
      'http.response.status_code': 201,
      'http.route': '/chain/transformation',
      'weft.request_id': answer.headers.get('x-request-id'),
    },
  })
  const thread = receiver.spans.find(({ name }) => name === 'thread solidity')
  expect(thread?.attributes['weft.waited_ms']).toBeGreaterThanOrEqual(0)
  expect([...receiver.keys]).toEqual(['key-of-the-receiver'])
  // Statements as prepared; no user input, and no token.
  expect(receiver.text()).not.toMatch(/x \+ 41|traced"|Bearer/)
  expect(receiver.text()).not.toContain(token)
})

test('the sampling decision of a caller is respected', async () => {
  const token = await stack.token(devAccount(0).address.toLowerCase() as `0x${string}`)
  const unkept = '11f7651916cd43dd8448eb211c80319c'
  expect((await create('untraced', `00-${unkept}-${CALLER}-00`, token)).status).toBe(201)
  expect((await create('traced_too', `00-${'2'.repeat(32)}-${CALLER}-01`, token)).status).toBe(201)
  await expect.poll(() => paths('2'.repeat(32)).length, pollOptions).toBeGreaterThan(3)
  expect(paths(unkept)).toEqual([])
})

test('a batch of the worker is a separate trace', async () => {
  await stack.chain.rpc('anvil_mine', ['0x2'])
  const batches = () => receiver.spans.filter(({ name }) => name === 'worker batch')
  await expect.poll(() => batches().length, pollOptions).toBeGreaterThan(0)
  const [batch] = batches()
  expect(batch).toMatchObject({ parentSpanId: undefined, attributes: { 'weft.outcome': expect.any(String) } })
  const inside = () => paths(batch?.traceId ?? '').filter((path) => path.startsWith('worker batch > '))
  await expect
    .poll(inside, pollOptions)
    .toEqual(expect.arrayContaining([expect.stringMatching(/ > sql insert/), 'worker batch > sql commit']))
})

test('the trace context is propagated to the node', async () => {
  const heard: (string | undefined)[] = []
  const node = createServer((request, response) => {
    heard.push(request.headers.traceparent as string | undefined)
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify([{ jsonrpc: '2.0', id: 0, result: '0x1' }]))
  })
  const chain = await connectChain({
    chainRpcUrl: `http://127.0.0.1:${await listen(node)}`,
    registryAddress: stack.chain.registry,
    runnerAddress: stack.chain.runner,
  })
  await traced(
    () => ({ name: 'asking', root: true }),
    async () => chain?.public.getChainId().catch(() => undefined),
  )
  node.close()
  const asking = () => receiver.spans.find(({ name }) => name === 'asking')
  await expect.poll(asking, pollOptions).toBeDefined()
  expect(heard[0]).toMatch(new RegExp(`^00-${asking()?.traceId}-[0-9a-f]{16}-01$`))
})

test('failed work has the name of the error alone', async () => {
  const work = traced(
    () => ({ name: 'failing', root: true }),
    async () => Promise.reject(new TypeError('secret of somebody')),
  )
  await expect(work).rejects.toThrow('secret of somebody')
  const failed = () => receiver.spans.find(({ name }) => name === 'failing')
  await expect
    .poll(failed, pollOptions)
    .toMatchObject({ failed: true, attributes: { 'error.type': 'TypeError' } })
  expect(receiver.text()).not.toContain('secret of somebody')
})
