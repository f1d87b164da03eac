import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SimulationRequest, Simulator } from '../../lib/compute/simulator/simulator.ts'
import { createDatabase } from '../../lib/platform/db/client.ts'
import type { Address } from '../../lib/protocol/entity.ts'
import { particlesJson } from '../../lib/protocol/particles.ts'
import { getConnector, postConnector } from '../../lib/server/operations/chain/entities.ts'
import { postSimulate } from '../../lib/server/operations/chain/run.ts'
import { startApi, type TestApi } from '../api/harness.ts'

/** Responds with zeros and records its calls. */
const runs: SimulationRequest[] = []
const simulator: Simulator = {
  simulate: () => Promise.reject(new Error('Nothing here shows pages')),
  simulateJson: async (request) => {
    runs.push(request)
    const data = new Uint32Array(request.particlesCount)
    const particles = request.artifacts.map(({ name }) => ({ path: `/${name}:0`, data }))
    return { ok: true, lasting: true, json: particlesJson(particles) }
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

function draft(dimensions: number) {
  return api.call('POST', '/connector', {
    token,
    body: { name: 'kept', dimensions: Array.from({ length: dimensions }, () => ({ transformations: [] })) },
  })
}
test('a draft that one process stored is read and run by every other at once', async () => {
  const db = createDatabase(api.db.url)
  const other = await startApi([getConnector, postSimulate], {}, { simulator, db })
  try {
    for (let dimensions = 1; dimensions < 20; dimensions++) {
      expect((await draft(dimensions)).status).toBe(201)
      const { body } = await other.call('GET', '/connector/kept')
      expect((body as { dimensions: unknown[] }).dimensions).toHaveLength(dimensions)
      const sent = { connector_name: 'kept', particles_count: 1 }
      expect((await other.call('POST', '/simulate', { body: sent })).status).toBe(200)
      const [stored] = await db.sql<{ hash: string }[]>`
        select content_hash as hash from drafts where name = 'kept'`
      expect(runs.at(-1)?.root).toBe(stored?.hash)
    }
  } finally {
    await other.close()
    await db.close()
  }
})
