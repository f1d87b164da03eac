import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dependencyGraph } from '#lib/core/entities/dependency-graph.ts'
import { related, usedBy } from '#lib/core/entities/relations.ts'
import { neighbourhood } from '#lib/features/neighbourhood/index.ts'
import type { BuiltArtifact } from '#lib/protocol/artifact.ts'
import { project } from '#test/server/chain/projection.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { Shelf } from '#test/support/definitions.ts'

const owner = `0x${'11'.repeat(20)}` as const
const other = `0x${'22'.repeat(20)}` as const
let db: TestDatabase
const shelf = new Shelf()

function publish(artifact: BuiltArtifact, by = owner) {
  return project(db, artifact, { owner: by })
}

beforeAll(async () => {
  db = await createTestDatabase()
  const step = { name: 'add', args: [1] }
  await publish(shelf.code('transformation', 'add', 1), other)
  await publish(shelf.code('transformation', '__proto__', 0))
  await publish(shelf.code('condition', 'gate', 0))
  await publish(shelf.connector({ name: 'pitch', dimensions: [{ transformations: [step, step] }] }))
  await publish(
    shelf.connector({
      name: 'toString',
      dimensions: [{ transformations: [{ name: '__proto__' }], composite: 'pitch' }, { composite: 'pitch' }],
      condition_name: 'gate',
    }),
  )
  // Each uses the one before: deeper than any page follows.
  await publish(shelf.connector({ name: 'deep_0', dimensions: [{ transformations: [step] }] }), other)
  for (let i = 1; i < 9; i++) {
    await publish(shelf.connector({ name: `deep_${i}`, dimensions: [{ composite: `deep_${i - 1}` }] }), other)
  }
  // One that names more than any page shows, among them one name often.
  for (let i = 0; i < 30; i++) await publish(shelf.code('transformation', `step_${i}`, 0), other)
  const many = Array.from({ length: 30 }, (_, i) => ({ transformations: [{ name: `step_${i}` }, step] }))
  await publish(shelf.connector({ name: 'wide', dimensions: many }), other)
})
afterAll(() => db?.close())

describe('used by', () => {
  const ask = (name: string, more: Partial<Parameters<typeof usedBy>[1]> = {}) =>
    usedBy({ db }, { kind: 'transformation', name, limit: 2, after: '', ...more })

  test('names every connector once, with how often it uses it, a page at a time', async () => {
    expect(await ask('add')).toEqual({
      total: 3,
      users: [
        { name: 'deep_0', owner: other, uses: 1 },
        { name: 'pitch', owner, uses: 2 },
      ],
      nextAfter: 'pitch',
    })
    expect(await ask('add', { after: 'pitch' })).toEqual({
      total: 3,
      users: [{ name: 'wide', owner: other, uses: 30 }],
      nextAfter: null,
    })
    expect(await ask('add', { after: 'zzz' })).toEqual({ total: 3, users: [], nextAfter: null })
  })

  test('distinguishes kinds and odd names', async () => {
    expect((await ask('__proto__')).users).toEqual([{ name: 'toString', owner, uses: 1 }])
    expect((await ask('pitch')).total).toBe(0)
    expect((await ask('pitch', { kind: 'connector' })).users).toEqual([{ name: 'toString', owner, uses: 2 }])
    expect((await ask('gate', { kind: 'condition' })).total).toBe(1)
    expect(await ask('nobody')).toEqual({ total: 0, users: [], nextAfter: null })
  })
})

describe('neighbourhood', () => {
  const near = async (kind: 'connector' | 'transformation', name: string) =>
    (await neighbourhood({ db }, { kind, name }))?.nodes.map((node): [string, readonly string[]] => [
      `${node.kind}/${node.name}`,
      node.uses,
    ])

  test('has users and parts in two steps each, the entity first, and every edge between them', async () => {
    const around = new Map(await near('connector', 'pitch'))
    expect([...around.keys()][0]).toBe('connector/pitch')
    expect(around.get('connector/pitch')).toEqual(['transformation/add'])
    expect(around.get('connector/toString')).toContain('connector/pitch')
    const below = new Map(await near('connector', 'toString'))
    expect(below.get('connector/toString')).toEqual([
      'condition/gate',
      'connector/pitch',
      'transformation/__proto__',
    ])
    expect(below.get('connector/pitch')).toEqual(['transformation/add'])
  })

  test('is bounded, and undefined for what is not published', async () => {
    expect((await near('connector', 'wide'))?.length).toBeLessThanOrEqual(1 + 2 * (12 + 20))
    expect(await near('connector', 'add')).toBeUndefined()
  })
})

describe('dependency graph', () => {
  const limits = { levels: 4, names: 12, nodes: 60 }
  const drawn = async (name: string, narrower: Partial<typeof limits> = {}) => {
    const graph = await dependencyGraph({ db }, name, { ...limits, ...narrower })
    if (graph === undefined) return undefined
    const names = new Map(graph.nodes.map((node) => [node.id, node.name]))
    return graph.nodes.map(({ kind, name: called, uses, more }) => ({
      node: `${kind} ${called}`,
      uses: uses.map(({ to, times }) => `${names.get(to)} x${times}`),
      more,
    }))
  }

  test('shows each part once, with its users and their counts', async () => {
    expect(await drawn('toString')).toEqual([
      { node: 'connector toString', uses: ['__proto__ x1', 'pitch x2', 'gate x1'], more: 0 },
      { node: 'transformation __proto__', uses: [], more: 0 },
      { node: 'connector pitch', uses: ['add x2'], more: 0 },
      { node: 'condition gate', uses: [], more: 0 },
      { node: 'transformation add', uses: [], more: 0 },
    ])
  })

  test('reports where the depth limit applies', async () => {
    const graph = await drawn('deep_8')
    expect(graph?.map(({ node }) => node)).toEqual([
      'connector deep_8',
      'connector deep_7',
      'connector deep_6',
      'connector deep_5',
      'connector deep_4',
    ])
    expect(graph?.map(({ more }) => more)).toEqual([0, 0, 0, 0, 1])
  })

  test('reports how much is omitted', async () => {
    const wide = await drawn('wide')
    expect(wide?.[0]?.uses).toHaveLength(12)
    expect(wide?.[0]?.more).toBe(31 - 12)
    const few = await drawn('wide', { nodes: 5 })
    expect(few).toHaveLength(5)
    expect(few?.[0]?.more).toBe(31 - 4)
  })
})

test('related names others of the account, newest first, and of the format, by their titles', async () => {
  await db.sql`update entities set block_number = 9 where name = 'gate'`
  await db.sql`update entities set title = 'To a string' where name = 'toString'`
  const pitch = shelf.lookup('connector', 'pitch')
  const formatHash = pitch?.kind === 'connector' ? pitch.formatHash : undefined
  const near = await related({ db }, { kind: 'connector', name: 'pitch', owner, formatHash, limit: 2 })
  expect(near.byOwner).toHaveLength(2)
  expect(near.byOwner[0]).toEqual({ kind: 'condition', name: 'gate' })
  expect(near.publishedByOwner).toBe(4)
  // `toString` generates what `pitch` does.
  expect(near).toMatchObject({
    ofFormat: [{ kind: 'connector', name: 'toString', title: 'To a string' }],
    inFormat: 2,
  })
  const code = { kind: 'condition', name: 'gate', owner, formatHash: undefined, limit: 9 } as const
  expect(await related({ db }, code)).toMatchObject({ ofFormat: [], inFormat: 0 })
})
