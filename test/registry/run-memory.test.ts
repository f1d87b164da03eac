import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { getConnector, postConnector } from '../../lib/api/chain/connector.ts'
import { postSimulate } from '../../lib/api/chain/simulate.ts'
import { createDatabase } from '../../lib/db/client.ts'
import type { Address, Hash } from '../../lib/domain/entity.ts'
import { Failure } from '../../lib/domain/failure.ts'
import { particlesJson } from '../../lib/domain/particles-json.ts'
import { untilReadsShowIt } from '../../lib/registry/read-stamps.ts'
import { rememberedName } from '../../lib/registry/run-memory.ts'
import type { SimulationRequest, Simulator } from '../../lib/simulator/simulator.ts'
import { startApi, type TestApi } from '../api/harness.ts'

/** A connector without transformations counts: 0, 1, 2, … from where its instance starts. */
const runs: SimulationRequest[] = []
const simulator: Simulator = {
  simulate: () => Promise.reject(new Error('Nothing here shows pages')),
  simulateJson: async (request) => {
    runs.push(request)
    if (request.particlesCount > 100) throw new Failure('rejected', 'Execution rejected: too long')
    const data = Uint32Array.from({ length: request.particlesCount }, (_, i) => i)
    const particles = request.artifacts.map(({ name }) => ({ path: `/${name}:0`, data }))
    return { ok: true, json: particlesJson(particles) }
  },
  start: () => undefined,
  prepare: async () => undefined,
  close: async () => undefined,
}

let api: TestApi
let token: string
beforeAll(async () => {
  api = await startApi([getConnector, postConnector, postSimulate], {}, { simulator })
  token = await api.token(`0x${'a'.repeat(40)}` as Address)
})
afterAll(() => api?.close())

const draft = (dimensions: number) =>
  api.call('POST', '/connector', {
    token,
    body: { name: 'kept', dimensions: Array.from({ length: dimensions }, () => ({ transformations: [] })) },
  })
const simulate = (count: number, start?: number) =>
  api.call('POST', '/simulate', {
    body: {
      connector_name: 'kept',
      particles_count: count,
      ...(start !== undefined && { dynamic_ri: { 0: { start_point: start, transformation_shift: 0 } } }),
    },
  })

test('a run is made twice at most, and anew for what differs in any way', async () => {
  expect((await draft(1)).status).toBe(201)
  const first = await simulate(3)
  expect(first.body).toEqual([{ path: '/kept:0', data: [0, 1, 2] }])
  for (let i = 0; i < 3; i++) expect(await simulate(3)).toMatchObject({ status: 200, body: first.body })
  expect(runs).toHaveLength(2)
  expect((await simulate(2)).body).toEqual([{ path: '/kept:0', data: [0, 1] }])
  for (const start of [1, 2, 1, 2, 1]) await simulate(3, start)
  expect(runs).toHaveLength(7)

  const before = runs.at(-1)?.root
  expect((await draft(2)).status).toBe(201)
  await simulate(3)
  expect(runs).toHaveLength(8)
  expect(runs.at(-1)?.root).not.toBe(before)
})

test('what came to nothing is not remembered', async () => {
  expect((await simulate(101)).status).toBe(400)
  const { length } = runs
  expect((await simulate(101)).status).toBe(400)
  expect(runs).toHaveLength(length + 1)
})

test('what a name stands for is looked up once, and again after anybody changed drafts, also elsewhere', async () => {
  expect((await draft(1)).status).toBe(201)
  const { db } = api
  const lookUps = vi.fn(async () => `0x${'1'.repeat(64)}` as const)
  const ask = () => rememberedName({ db }, 'asked', lookUps)
  await ask()
  await ask()
  expect(lookUps).toHaveBeenCalledTimes(1)
  await db.sql`update drafts set source = 'other'`
  await untilReadsShowIt()
  await ask()
  expect(lookUps).toHaveBeenCalledTimes(2)
  lookUps.mockRejectedValueOnce(new Error('not found'))
  await db.sql`delete from entities`
  await untilReadsShowIt()
  await expect(ask()).rejects.toThrow('not found')
  await ask()
  await ask()
  expect(lookUps).toHaveBeenCalledTimes(4)
})

test('what one process wrote the others see as soon as it is told, however often it changes', async () => {
  expect((await draft(1)).status).toBe(201)
  const other = createDatabase(api.db.url)
  try {
    const sourceOf = async () => {
      const [row] = await other.sql<{ source: Hash }[]>`select source from drafts where name = 'kept'`
      return row!.source
    }
    for (let i = 0; i < 40; i++) {
      const source = `0x${i}` as const
      const asked = rememberedName({ db: other }, 'kept', sourceOf)
      await api.db.sql`update drafts set source = ${source}`
      await untilReadsShowIt()
      await asked
      expect(await rememberedName({ db: other }, 'kept', sourceOf)).toBe(source)
    }
  } finally {
    await other.close()
  }
})
