import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamsForPage } from '#lib/views/run-connector.ts'
import { messageOf, startApi, type TestApi } from '#test/support/api.ts'
import { draftArtifact, project, randomAddress } from './projection.ts'

let api: TestApi
let token: string
beforeAll(async () => {
  api = await startApi('chain', {
    maxAnswerBytes: 65_536,
  })
  token = await api.token(randomAddress())
})
afterAll(() => api?.close())

async function draft(name: string, dimensions: readonly object[]): Promise<void> {
  const answer = await api.send('POST', '/connector', { token, json: { name, dimensions } })
  expect(answer.status, messageOf(answer)).toBe(201)
}

test('a format of very many values is stored with the first of them, and answers with all', async () => {
  // The longest name there may be.
  const name = 'many'.padEnd(128, 'x')
  await draft(
    name,
    Array.from({ length: 400 }, () => ({ transformations: [] })),
  )
  await draft('beside', [{ transformations: [], composite: name }])
  for (const each of [name, 'beside']) await project(api.db, await draftArtifact(api.db, 'connector', each))
  const { json: body } = await api.send('GET', `/connector/${name}`)
  const { format_hash: hash } = body as { format_hash: string }
  const [row] = await api.db.sql<{ bytes: number; scalars_count: number }[]>`
    select octet_length(scalars::text) as bytes, scalars_count from formats where format_hash = ${`0x${hash}`}`
  expect(row).toMatchObject({ scalars_count: 400 })
  expect(row!.bytes).toBeLessThan(17 * 1024)
  const answer = await api.send('GET', `/format/${hash}?limit=1`)
  expect(answer.json).toMatchObject({ total_connectors: 2, connectors: ['beside'] })
  const expected = Array.from({ length: 400 }, (_, dimension) => `${name}:${dimension}`).toSorted()
  expect((answer.json as { scalars: string[] }).scalars).toEqual(expected)
})

test('a run whose answer would be too large is refused', async () => {
  const name = 'much'.padEnd(128, 'x')
  await draft(
    name,
    Array.from({ length: 100 }, () => ({ transformations: [] })),
  )
  const simulate = (particles_count: number) =>
    api.send('POST', '/simulate', { json: { connector_name: name, particles_count } })
  expect((await simulate(1)).status).toBe(200)
  const refused = await simulate(1000)
  expect(refused.status).toBe(400)
  expect(messageOf(refused)).toContain('the answer would have at least')
  expect(messageOf(refused)).toContain('65,536')
})

test('a page carries as many streams of very long paths as it has room for', async () => {
  const particles = Array.from({ length: 24 }, (_, index) => ({
    path: `/${index}`.padEnd(16_000, 'x'),
    data: Uint32Array.of(index),
  }))
  expect(streamsForPage(particles)).toHaveLength(2)
  expect(streamsForPage(particles.map(({ data }, index) => ({ path: `/${index}`, data })))).toHaveLength(24)
  expect(streamsForPage([{ path: 'x'.repeat(40_000), data: Uint32Array.of(1) }])).toHaveLength(1)
})
