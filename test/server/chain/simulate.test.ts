import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MemoryBudget } from '#lib/platform/limits/memory-budget.ts'
import { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import { messageOf, startApi, type TestApi } from '#test/support/api.ts'
import { draftArtifact, project, randomAddress } from './projection.ts'

let api: TestApi
let token: string

beforeAll(async () => {
  api = await startApi('chain')
  token = await api.token(randomAddress())
  await create('transformation', { name: 'add', sol_src: 'return x + args[0];' })
  await create('transformation', { name: 'same', sol_src: 'return x;' })
  await create('condition', { name: 'above', sol_src: 'return args[0] >= args[1];' })
  await create('connector', { name: 'pitch', dimensions: [step('add', 1)] })
  await create('connector', {
    name: 'every_second',
    dimensions: [{ ...step('add', 2), composite: 'pitch' }],
    static_ri: { '2': ri(60, 0) },
  })
})
afterAll(() => api.close())

async function create(kind: string, body: unknown): Promise<void> {
  const answer = await api.send('POST', `/${kind}`, { token, json: body })
  expect(answer.status, messageOf(answer)).toBe(201)
}

function step(name: string, ...args: number[]) {
  return { transformations: [{ name, args }] }
}

function ri(start: number, shift: number) {
  return { start_point: start, transformation_shift: shift }
}

function simulate(body: Record<string, unknown>) {
  return api.send('POST', '/simulate', { json: body })
}

describe('POST_simulate', () => {
  test('200: paths and values, without any token', async () => {
    expect(await simulate({ connector_name: 'every_second', particles_count: 4 })).toMatchObject({
      status: 200,
      json: [{ path: '/every_second:0/pitch:0', data: [60, 62, 64, 66] }],
    })
  })

  test('200: overrides by position, and counts as strings and exponents', async () => {
    const dynamic_ri = { '0': ri(3, 0) }
    for (const particles_count of ['2', 2, 2.0]) {
      expect(await simulate({ connector_name: 'pitch', particles_count, dynamic_ri })).toMatchObject({
        status: 200,
        json: [{ path: '/pitch:0', data: [3, 4] }],
      })
    }
    const text = '{"connector_name":"pitch","particles_count":1e1}'
    const { json: body } = await api.send('POST', '/simulate', { text })
    expect(body).toEqual([{ path: '/pitch:0', data: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] }])
  })

  test('400: rejections with their fixed and their own texts', async () => {
    await create('connector', {
      name: 'blocked',
      dimensions: [step('same')],
      condition_name: 'above',
      condition_args: [8, 10],
    })
    const blocked = await simulate({ connector_name: 'blocked', particles_count: 1 })
    expect(blocked.status).toBe(400)
    expect(blocked.json).toEqual({ message: 'Execution rejected: Condition not met' })

    const overridden = await simulate({
      connector_name: 'every_second',
      particles_count: 1,
      dynamic_ri: { '2': ri(0, 0) },
    })
    expect(overridden.status).toBe(400)
    expect(messageOf(overridden)).toMatch(/^Execution rejected: .*position 2/)

    await create('connector', { name: 'overflows', dimensions: [step('add', 4294967295)] })
    expect((await simulate({ connector_name: 'overflows', particles_count: 2 })).status).toBe(200)
    const overflow = await simulate({ connector_name: 'overflows', particles_count: 3 })
    expect(overflow.status).toBe(400)
    expect(messageOf(overflow)).toMatch(/^Execution rejected: .*overflow/)
  })

  test.each([
    [{ particles_count: 1 }],
    [{ connector_name: 'pitch' }],
    [{ connector_name: 'pitch', particles_count: 0 }],
    [{ connector_name: 'pitch', particles_count: 65537 }],
    [{ connector_name: 'pitch', particles_count: -1 }],
    [{ connector_name: 'pitch', particles_count: 1.5 }],
    [{ connector_name: 'pitch', particles_count: 'x' }],
    [{ connector_name: 'pitch', particles_count: '01' }],
    [{ connector_name: 'pitch', particles_count: true }],
    [{ connector_name: 'pitch', particles_count: null }],
    [{ connector_name: 7, particles_count: 1 }],
    [{ connector_name: 'pitch', particles_count: 1, dynamic_ri: [] }],
    [{ connector_name: 'pitch', particles_count: 1, dynamic_ri: null }],
    [{ connector_name: 'pitch', particles_count: 1, dynamic_ri: { '01': ri(0, 0) } }],
    [{ connector_name: 'pitch', particles_count: 1, dynamic_ri: { '4294967296': ri(0, 0) } }],
    [{ connector_name: 'pitch', particles_count: 1, dynamic_ri: { '1': { start_point: 1 } } }],
    [{ connector_name: 'pitch', particles_count: 1, dynamic_ri: { '1': ri(-1, 0) } }],
    [{ connector_name: 'pitch', particles_count: 1, extra: 1 }],
    // The shape of the request is validated before the connector is looked up.
    [{ connector_name: 'Ghost', particles_count: 0 }],
  ])('400: %j', async (body) => {
    const answer = await simulate(body)
    expect(answer.status).toBe(400)
    expect(messageOf(answer)).not.toBe('')
  })

  test('dynamic_ri: 4096 entries are accepted, one more is not', async () => {
    const entries = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [String(i + 10), ri(1, 1)]))
    const run = { connector_name: 'pitch', particles_count: 1 }
    expect((await simulate({ ...run, dynamic_ri: entries(4096) })).status).toBe(200)
    expect((await simulate({ ...run, dynamic_ri: entries(4097) })).status).toBe(400)
  })

  test('a draft runs with the artifacts it was built against', async () => {
    await create('transformation', { name: 'pace', sol_src: 'return x + 1;' })
    await create('connector', { name: 'paced', dimensions: [step('pace')] })
    await create('transformation', { name: 'pace', sol_src: 'return x + 2;' })
    const run = { connector_name: 'paced', particles_count: 3 }
    expect((await simulate(run)).json).toEqual([{ path: '/paced:0', data: [0, 1, 2] }])
    await create('connector', { name: 'paced', dimensions: [step('pace')] })
    expect((await simulate(run)).json).toEqual([{ path: '/paced:0', data: [0, 2, 4] }])
  })

  test('a published connector shadows a draft of its name', async () => {
    await create('connector', { name: 'twice', dimensions: [step('add', 5)] })
    const published = await draftArtifact(api.db, 'connector', 'twice')
    await create('connector', { name: 'twice', dimensions: [step('add', 6)] })
    await project(api.db, published)
    const { json: body } = await simulate({ connector_name: 'twice', particles_count: 2 })
    expect(body).toEqual([{ path: '/twice:0', data: [0, 5] }])
  })
})

describe('POST_simulate and its engine', () => {
  test('503: no room for the artifacts of another run', async () => {
    const full = await startApi('chain', {}, { memory: new MemoryBudget(new UsageLedger(), 1000) })
    try {
      await project(full.db, await draftArtifact(api.db, 'transformation', 'add'))
      await project(full.db, await draftArtifact(api.db, 'connector', 'pitch'))
      const answer = await full.send('POST', '/simulate', {
        json: { connector_name: 'pitch', particles_count: 3 },
      })
      expect([answer.status, messageOf(answer)]).toEqual([
        503,
        'Too many simulations are waiting; try again shortly',
      ])
    } finally {
      await full.close()
    }
  })
})
