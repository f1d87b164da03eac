import { spawn } from 'node:child_process'
import { numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logPublished } from '#lib/core/indexer/open-follow.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { createChainDispatcher } from '#lib/server/operations/chain/dispatcher.ts'
import { type PreparedWire, signPrepared } from '#test/core/publication/sign-prepared.ts'
import { devAccount } from '#test/support/chain.ts'
import { startTestStack, type TestStack } from '#test/support/stack.ts'

/** Every log line for a request carries its id: those of the threads of a process, and of the worker beside it. */

let stack: TestStack

beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack?.close())

const owner = devAccount(4)

async function post(path: string, body: unknown): Promise<{ id: string; json: unknown }> {
  const token = await stack.token(owner.address.toLowerCase() as Address)
  const dispatch = createChainDispatcher({ services: async () => stack.services })
  const answer = await dispatch(
    new Request(`http://localhost/chain${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    }),
  )
  const text = await answer.text()
  expect(answer.status, text).toBeLessThan(300)
  return { id: answer.headers.get('x-request-id') ?? '', json: JSON.parse(text) }
}

test('the worker logs a publication in the name of the request that sent it', async () => {
  await post('/connector', { name: 'told', dimensions: [{ transformations: [] }] })
  const { json } = await post('/publish/connector/prepare', { name: 'told', relay: true })
  const { content_hash } = json as PreparedWire
  const raw_tx = await signPrepared(json as PreparedWire, owner)
  const sent = await post('/publish/connector/send', { name: 'told', content_hash, raw_tx })
  const kept = () => stack.db.sql`select request_id from publications where name = 'told'`
  expect([...(await kept())]).toEqual([{ request_id: sent.id }])
  await stack.projected()

  // The very lines, with the writer's statements run over this connection.
  const lines: unknown[] = []
  const log = { info: (facts: object) => void lines.push(facts) } as never
  const writer = { transaction: (run: (sql: never) => unknown) => run(stack.db.sql as never) } as never
  const event = {
    kind: 'connector',
    name: 'told',
    owner: owner.address.toLowerCase(),
    contentHash: content_hash,
  }
  const found = { blockNumber: 3, txHash: numberToHex(1, { size: 32 }) }
  const stranger = { ...event, name: 'untold' }
  await logPublished(writer, log, [{ event, log: found } as never, { event: stranger, log: found } as never])
  expect(lines).toEqual([
    { kind: 'connector', name: 'told', block: 3, txHash: found.txHash, requestId: sent.id },
    { kind: 'connector', name: 'untold', block: 3, txHash: found.txHash },
  ])
})

test('a thread logs in the name of the request it works for, and nothing of what was sent', async () => {
  // In a separate process, whose standard output is the log.
  const program = `
    import { createBundlePool } from './lib/compute/bundle/pool.ts'
    import { forRequest } from './lib/platform/telemetry/request-scope.ts'
    import { makeBundle } from './test/core/worlds/support/bundle.ts'
    const pool = createBundlePool({ timeoutMs: 30000, maxQueue: 4, threads: 1 })
    const check = (requestId, slug) => forRequest({ requestId, operation: 'POST_worldValidate' }, () =>
      pool.check(makeBundle({ slug })))
    await Promise.all([check('one', 'secretive-one'), check('two', 'secretive-two')])
    await pool.close()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, LOG_LEVEL: 'debug' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const chunk of child.stdout) text += String(chunk)
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const told = lines.filter(({ msg }) => msg === 'task done')
  expect(told.map(({ requestId, operation, part }) => [requestId, operation, part])).toEqual([
    ['one', 'POST_worldValidate', 'bundle'],
    ['two', 'POST_worldValidate', 'bundle'],
  ])
  for (const { thread, ms } of told) expect([Number(thread) > 0, typeof ms]).toEqual([true, 'number'])
  expect(text).not.toContain('secretive')
})
