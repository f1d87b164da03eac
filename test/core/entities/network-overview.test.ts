import { afterAll, beforeAll, expect, test } from 'vitest'
import { networkOverview } from '#lib/core/entities/network-overview.ts'
import { accounts, artifacts, entities, formats } from '#lib/platform/db/schema/index.ts'
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

test('an empty network counts nothing and names nothing', async () => {
  expect(await networkOverview({ db })).toEqual({
    counts: { connectors: 0, transformations: 0, conditions: 0, formats: 0, accounts: 0 },
    connectors: [],
    transformations: [],
    conditions: [],
    formats: [],
    accounts: [],
  })
})

test('counts everything, names the newest first, ten of an account at most, and knows shapes where artifacts are verified', async () => {
  await publish('transformation', 'toString', {
    kind: 'transformation',
    name: 'toString',
    argsCount: 4_294_967_295,
    runtime: '0x',
  })
  await publish('condition', '__proto__')
  await publish('connector', 'oldest')
  for (let i = 0; i < 24; i++) await publish('connector', `unverified_${i}`)
  await db.orm.insert(formats).values({ formatHash: FORMAT, scalars: ['pair:0', 'pair:1'], connectors: 25 })
  await db.orm.insert(accounts).values({ address: OWNER, published: 27 })

  const overview = await networkOverview({ db })
  expect(overview.counts).toEqual({
    connectors: 25,
    transformations: 1,
    conditions: 1,
    formats: 1,
    accounts: 1,
  })
  expect(overview.connectors).toHaveLength(10)
  expect(overview.connectors[0]).toEqual({
    name: 'unverified_23',
    owner: OWNER,
    contentHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    formatHash: FORMAT,
    because: 'new',
    shape: undefined,
  })
  expect(overview.transformations).toEqual([{ name: 'toString', owner: OWNER, argsCount: 4_294_967_295 }])
  expect(overview.conditions).toEqual([{ name: '__proto__', owner: OWNER, argsCount: undefined }])
  expect(overview.formats).toEqual([
    { formatHash: FORMAT, scalars: ['pair:0', 'pair:1'], scalarsCount: 2, connectors: 25 },
  ])
  expect(overview.accounts).toEqual([{ address: OWNER, published: 27 }])

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
  expect((await networkOverview({ db })).connectors[0]?.shape).toEqual({
    dimensions: 1,
    paths: 3,
    conditionName: '__proto__',
    conditionArgs: [12, -3],
  })
})
