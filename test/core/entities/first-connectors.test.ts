import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstConnectors } from '#lib/core/entities/first-connectors.ts'
import { artifacts, entities } from '#lib/platform/db/schema/index.ts'
import type { Artifact } from '#lib/protocol/artifact.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'

let db: TestDatabase

beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.close())

const OWNER = `0x${'a1'.repeat(20)}` as const
const FORMAT: Hash = `0x${'f0'.repeat(32)}`
let block = 0

type Unhashed<T> = T extends unknown ? Omit<T, 'contentHash'> : never

/** One row of the projection; without an artifact it counts as not verified. */
async function publish(kind: string, name: string, artifact?: Unhashed<Artifact>): Promise<void> {
  block++
  const hash = `0x${block.toString(16).padStart(64, '0')}` as const
  if (artifact) {
    const body = { ...artifact, contentHash: hash } as Artifact
    await db.orm.insert(artifacts).values({ contentHash: hash, kind, name, body })
  }
  await db.orm.insert(entities).values({
    kind,
    name,
    owner: OWNER,
    address: `0x${'c0'.repeat(20)}`,
    contentHash: hash,
    metadataHash: hash,
    artifactHash: artifact ? hash : null,
    formatHash: kind === 'connector' ? FORMAT : null,
    blockNumber: block,
    blockHash: hash,
    txHash: hash,
    txIndex: 0,
    logIndex: 0,
  })
}

test('the first are named with their sizes, ten of an account at most, as far as artifacts are verified', async () => {
  expect(await firstConnectors({ db })).toEqual([])
  await publish('connector', 'oldest')
  for (let i = 0; i < 24; i++) await publish('connector', `unverified_${i}`)
  const first = await firstConnectors({ db })
  expect(first).toHaveLength(10)
  expect(first[0]).toEqual({
    name: 'unverified_23',
    owner: OWNER,
    contentHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    because: 'new',
    shape: undefined,
  })

  await publish('connector', 'trio', {
    kind: 'connector',
    name: 'trio',
    definition: {
      name: 'trio',
      dimensions: [{ transformations: [], composite: 'pair', bindings: [] }],
      conditionName: '__proto__',
      conditionArgs: [12, -3],
      staticRi: [],
    },
    dependencies: [],
    leafCount: 3,
    depth: 2,
    formatHash: FORMAT,
  })
  expect((await firstConnectors({ db }))[0]?.shape).toEqual({
    paths: 3,
    conditionName: '__proto__',
  })
})
