import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Services } from '#lib/core/context/context.ts'
import { closeServices, createServices } from '#lib/core/context/services.ts'
import { readFeedStatus } from '#lib/core/feed/read-status.ts'
import { indexUntil } from '#lib/core/indexer/bounded-run.ts'
import { createWorkerDispatcher, type StepReport } from '#lib/server/operations/worker/worker-step.ts'
import { outbox } from '#test/core/feed/projection.ts'
import { devAccount, type Network, startNetwork } from '#test/core/publication/network.ts'
import { testConfig } from '#test/support/config.ts'
import { startForgetfulProxy } from '#test/support/forgetful-proxy.ts'
import { until } from '#test/support/until.ts'

const SECRET = 'a-secret-of-sixteen'
const owner = devAccount(0)

let network: Network
let services: Services
let pooler: Awaited<ReturnType<typeof startForgetfulProxy>>
/** Its steps run as on a platform: through a pooler, in services of their own. */
beforeAll(async () => {
  network = await startNetwork({ config: { cronSecret: SECRET } })
  pooler = await startForgetfulProxy(network.api.db.url)
  services = await createServices(testConfig({ ...network.api.services.config, databaseUrl: pooler.url }))
})
afterAll(async () => {
  await closeServices(services)
  await pooler.close()
  await network.close()
})

function call(query = '', authorization: string | undefined = `Bearer ${SECRET}`): Promise<Response> {
  const headers = authorization === undefined ? {} : { authorization }
  const request = new Request(`http://localhost/worker/step${query}`, { method: 'POST', headers })
  return createWorkerDispatcher({ services: async () => services })(request)
}

async function run(query?: string): Promise<StepReport> {
  const response = await call(query)
  expect(response.status).toBe(200)
  return (await response.json()) as StepReport
}

test('there is no such address without a secret, and nothing is done without the right one', async () => {
  const without = { ...services, config: { ...services.config, cronSecret: undefined } }
  const request = new Request('http://localhost/worker/step', {
    headers: { authorization: 'Bearer undefined' },
  })
  expect((await createWorkerDispatcher({ services: async () => without })(request)).status).toBe(404)
  const sent = [undefined, '', SECRET, `Basic ${SECRET}`, `Bearer ${SECRET}x`, `Bearer ${SECRET.slice(1)}`]
  for (const authorization of sent) expect((await call('', authorization ?? '')).status).toBe(401)
  for (const seconds of ['0', '281', '-1', '1.5', 'x', '1e2', '']) {
    expect((await call(`?seconds=${seconds}`)).status).toBe(400)
  }
  expect(await network.api.db.sql`select 1 from worker_state`).toEqual([])
})

test('steps at the same time index each publication once, and say when nothing is left', async () => {
  let publishing = true
  const steps = Array.from({ length: 3 }, async () => {
    while (publishing) await run()
  })
  for (const name of ['one', 'two', 'three']) {
    await network.draftTransformation(name, owner)
    await network.publish('transformation', name, owner)
  }
  publishing = false
  await Promise.all(steps)
  const last = await run()
  expect(last).toMatchObject({ done: true, busy: false, problem: null, left: { blocks: 0, sources: 0 } })
  const deltas = await outbox(network.api.db)
  // An item that was read late is final at once.
  const changes = deltas.map(({ name, status }) => `${name} ${status}`)
  expect(new Set(changes).size).toBe(changes.length)
  expect([...new Set(deltas.map(({ name }) => name))].toSorted()).toEqual(['one', 'three', 'two'])
})

test('a step without time does nothing, keeps what is there, and the next one goes on', async () => {
  await network.chain.rpc('anvil_mine', ['0x12c'])
  const before = await run('?seconds=1')
  const stopped = await indexUntil(services, AbortSignal.abort())
  expect(stopped).toMatchObject({ busy: false, problem: undefined })
  await until('nothing is left', async () => (await run('?seconds=1')).done)
  const head = Number(await network.chain.publicClient.getBlockNumber({ cacheTime: 0 }))
  expect((await run()).processed_block).toBe(head)
  expect(before.processed_block).toBeLessThanOrEqual(head)
})

test('the status page knows the last step, and misses it when none comes', async () => {
  const codes = async () => (await readFeedStatus(services)).degraded.map(({ code }) => code)
  expect(await codes()).toEqual([])
  expect((await readFeedStatus(services)).writer?.instance).toBe('cron')
  await network.api.db.sql`update worker_instances set heartbeat_at = heartbeat_at - interval '4 minutes'`
  expect(await codes()).toContain('no_writer')
})

test('a step is busy while a worker with a session writes', async () => {
  const { worker, stop } = network.startWorker()
  await until('it writes', () => worker.status().role === 'writer')
  expect(await run()).toMatchObject({ busy: true })
  await stop()
  await until('the step writes', async () => !(await run()).busy)
})

test('a node that is away is reported, and nothing else fails', async () => {
  const away = await createServices({ ...services.config, chainRpcUrl: 'http://127.0.0.1:1' })
  const headers = { authorization: `Bearer ${SECRET}` }
  const request = new Request('http://localhost/worker/step', { headers })
  const response = await createWorkerDispatcher({ services: async () => away })(request)
  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({ done: false, problem: { code: 'chain_unavailable' } })
  await closeServices(away)
})
