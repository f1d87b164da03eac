import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readStamps } from '../../lib/registry/read-stamps.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db?.close())

const HASH = `0x${'1'.repeat(64)}`
const OWNER = `0x${'a'.repeat(40)}`

/** The scopes whose stamp differs after `change`. */
async function changedBy(change: () => Promise<unknown>): Promise<string[]> {
  const before = await readStamps({ db })
  await change()
  const after = await readStamps({ db })
  return Object.keys(after).filter((scope) => Reflect.get(after, scope) !== Reflect.get(before, scope))
}

const draft = (name: string) => db.sql`
  insert into drafts (kind, name, owner, content_hash) values ('condition', ${name}, ${OWNER}, ${HASH})`

describe('every change of what is read gives its scope another stamp', () => {
  test('a new artifact concerns nobody; one that changes does', async () => {
    expect(
      await changedBy(
        () =>
          db.sql`insert into artifacts (content_hash, kind, name, body) values (${HASH}, 'condition', 'a', '{}')`,
      ),
    ).toEqual([])
    expect(await changedBy(() => db.sql`update artifacts set body = '{"a":1}'`)).toEqual(['entities'])
  })

  test('drafts', async () => {
    expect(await changedBy(() => draft('a'))).toEqual(['drafts'])
    expect(await changedBy(() => db.sql`update drafts set source = 'x'`)).toEqual(['drafts'])
    expect(await changedBy(() => db.sql`delete from drafts`)).toEqual(['drafts'])
    expect(await changedBy(() => db.sql`truncate drafts`)).toEqual(['drafts'])
  })

  test.each([
    ['entities', 'entities'],
    ['accounts', 'entities'],
    ['formats', 'entities'],
    ['feed_items', 'feed'],
    ['feed_outbox', 'feed'],
  ])('%s', async (table, scope) => {
    // A statement counts, whether or not it meets a row.
    expect(await changedBy(() => db.sql`delete from ${db.sql(table)}`)).toEqual([scope])
  })

  test('tables that no public read shows do not matter', async () => {
    expect(await changedBy(() => db.sql`delete from used_chain_nonces`)).toEqual([])
  })
})

describe('transactions', () => {
  test('what is undone changes nothing', async () => {
    const undone = changedBy(() =>
      db.sql
        .begin(async (tx) => {
          await tx`delete from drafts`
          throw new Error('undone')
        })
        .catch(() => undefined),
    )
    expect(await undone).toEqual([])
  })

  test('what is undone up to a savepoint is stamped by what comes after', async () => {
    const changed = changedBy(() =>
      db.sql.begin(async (tx) => {
        await tx
          .savepoint(async (inner) => {
            await inner`delete from drafts`
            throw new Error('undone')
          })
          .catch(() => undefined)
        await tx`insert into drafts (kind, name, owner, content_hash) values ('condition', 'b', ${OWNER}, ${HASH})`
      }),
    )
    expect(await changed).toEqual(['drafts'])
  })

  test('two on one connection, and two at a time, are each told', async () => {
    await db.sql.reserve().then(async (one) => {
      expect(await changedBy(() => one`delete from drafts`)).toEqual(['drafts'])
      expect(await changedBy(() => one`delete from drafts`)).toEqual(['drafts'])
      one.release()
    })
    const first = await db.sql.reserve()
    const second = await db.sql.reserve()
    await first`begin`
    await second`begin`
    await first`delete from drafts`
    // Sessions may share a row, then the second waits for the first.
    const waiting = second`delete from drafts`.execute()
    expect(await changedBy(() => first`commit`)).toEqual(['drafts'])
    await waiting
    expect(await changedBy(() => second`commit`)).toEqual(['drafts'])
    first.release()
    second.release()
  })

  test('a change that is not committed is not told', async () => {
    const one = await db.sql.reserve()
    await one`begin`
    expect(await changedBy(() => one`delete from entities`)).toEqual([])
    expect(await changedBy(() => one`commit`)).toEqual(['entities'])
    one.release()
  })
})
