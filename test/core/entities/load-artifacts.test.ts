import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { artifactClosure } from '#lib/core/entities/load-artifacts.ts'
import { storeArtifact } from '#lib/core/entities/stored-leaves.ts'
import { type BuiltArtifact, withoutLeaves } from '#lib/protocol/artifact.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { Shelf } from '#test/support/definitions.ts'

let db: TestDatabase

beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.close())

async function store(all: readonly BuiltArtifact[]): Promise<void> {
  for (const artifact of all) await storeArtifact(db.sql, artifact)
}

/** The same database, counting queries. */
function counted(): { db: TestDatabase; queries: () => number } {
  let count = 0
  const sql = new Proxy(db.sql, {
    apply: (target, self, args) => {
      count += 1
      return Reflect.apply(target, self, args)
    },
  })
  return { db: { ...db, sql }, queries: () => count }
}

describe('artifactClosure', () => {
  test('the root first, everything below it once, and nothing else', async () => {
    const shelf = new Shelf()
    shelf.code('transformation', 'a', 0)
    shelf.code('transformation', 'unused', 0)
    shelf.code('condition', 'a', 0)
    shelf.connector({ name: 'leaf', dimensions: [{ transformations: [{ name: 'a' }, { name: 'a' }] }] })
    shelf.connector({ name: 'other', dimensions: [{}], condition_name: 'a' })
    const root = shelf.connector({
      name: 'root',
      dimensions: [{ composite: 'leaf', bindings: { '0': 'other' } }, { composite: 'leaf' }],
      condition_name: 'a',
    })
    await store(shelf.all())
    const found = await artifactClosure({ db }, [root.contentHash])
    expect(found[0]).toEqual(withoutLeaves(root))
    expect(found.map(({ kind, name }) => `${kind}/${name}`).sort()).toEqual([
      'condition/a',
      'connector/leaf',
      'connector/other',
      'connector/root',
      'transformation/a',
    ])
  })

  test('queries follow the depth of the tree, not its size', async () => {
    const shelf = new Shelf()
    const calls = Array.from({ length: 90 }, (_, i) => ({
      name: shelf.code('transformation', `t${i}`, 0).name,
    }))
    for (let i = 0; i < 60; i++) shelf.connector({ name: `c${i}`, dimensions: [{ transformations: calls }] })
    const root = shelf.connector({
      name: 'wide',
      dimensions: Array.from({ length: 60 }, (_, i) => ({ composite: `c${i}` })),
    })
    await store(shelf.all())
    const { db: watched, queries } = counted()
    expect(await artifactClosure({ db: watched }, [root.contentHash])).toHaveLength(151)
    expect(queries()).toBeLessThanOrEqual(3)
  })

  test('more parts than one query takes', async () => {
    const shelf = new Shelf()
    const calls = Array.from({ length: 350 }, (_, i) => ({
      name: shelf.code('transformation', `m${i}`, 0).name,
    }))
    const root = shelf.connector({ name: 'many', dimensions: [{ transformations: calls }] })
    await store(shelf.all())
    const found = await artifactClosure({ db }, [root.contentHash])
    expect(new Set(found.map(({ contentHash }) => contentHash)).size).toBe(351)
  })

  test('a part that is not in the store makes the whole unavailable', async () => {
    const shelf = new Shelf()
    shelf.code('transformation', 'lost', 0)
    const root = shelf.connector({ name: 'needy', dimensions: [{ transformations: [{ name: 'lost' }] }] })
    await store([root])
    await expect(artifactClosure({ db }, [root.contentHash])).rejects.toMatchObject({
      code: 'artifacts_unavailable',
    })
    const unknown: Hash = `0x${'9'.repeat(64)}`
    await expect(artifactClosure({ db }, [unknown])).rejects.toMatchObject({ code: 'artifacts_unavailable' })
  })

  test('too many parts, or too large ones, are refused', async () => {
    const shelf = new Shelf()
    const large = { ...shelf.code('transformation', 'large', 0), runtime: `0x${'00'.repeat(5000)}` as const }
    const root = shelf.connector({ name: 'heavy', dimensions: [{ transformations: [{ name: 'large' }] }] })
    await store([large, root])
    const limit = (artifacts: number, bytes: number) =>
      artifactClosure({ db }, [root.contentHash], { artifacts, bytes })
    await expect(limit(1, 1e6)).rejects.toMatchObject({ code: 'rejected' })
    await expect(limit(2, 9000)).rejects.toMatchObject({ code: 'rejected' })
    await expect(limit(2, 1e6)).resolves.toHaveLength(2)
  })
})
