import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '#lib/core/context/context.ts'
import { deleteUser } from '#lib/core/people/account-status.ts'
import {
  countsOf,
  deleteLikes,
  MAX_MARKS,
  marksOn,
  savedPieces,
  setMark,
} from '#lib/features/social/marks.ts'
import { countPlay } from '#lib/features/social/plays.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { newPerson } from '#test/server/services/people.ts'
import { startApi, type TestApi } from '#test/support/api.ts'

const PIECE = { kind: 'connector', name: 'liked' } as const
const LIKE = { ...PIECE, mark: 'like' } as const

let api: TestApi

beforeAll(async () => {
  api = await startApi('services')
  await api.db.sql`
    insert into entities (kind, name, owner, address, content_hash, metadata_hash, block_number, block_hash, tx_hash,
      tx_index, log_index)
    select 'connector', name, '0x', '0x', '0x', '0x', 1, '0x', '0x', 0, place
    from unnest('{liked,other}'::text[]) with ordinality as listed(name, place)`
})
afterAll(() => api?.close())

async function newAccount(): Promise<Context> {
  const address = (await newPerson(api)).address.toLowerCase() as Address
  return { ...api.services, session: { id: '', address, roles: [] } } as unknown as Context
}

async function counts(piece: Parameters<typeof countsOf>[1][number] = PIECE) {
  return (await countsOf(api, [piece]))(piece)
}

test('an account likes a piece once, takes it back, and takes its likes along when it is deleted', async () => {
  const [ada, ben] = await Promise.all([newAccount(), newAccount()])
  await Promise.all([ada, ada, ben].map((ctx) => setMark(ctx, { ...LIKE, on: true })))
  expect(await counts()).toEqual({ likes: 2, plays: 0 })
  expect(await marksOn(ada, PIECE)).toEqual(['like'])
  await Promise.all([ada, ada].map((ctx) => setMark(ctx, { ...LIKE, on: false })))
  expect(await counts()).toEqual({ likes: 1, plays: 0 })
  await deleteUser(ben, { address: ben.session?.address, more: [deleteLikes] })
  expect(await counts()).toEqual({ likes: 0, plays: 0 })
  await expect(setMark(ben, { ...LIKE, on: true })).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('what is not published, and more than an account may like, is refused', async () => {
  const ada = await newAccount()
  for (const piece of [
    { kind: 'connector', name: 'unknown' },
    { kind: 'condition', name: 'liked' },
    { kind: 'world', name: 'liked' },
  ] as const) {
    await expect(setMark(ada, { mark: 'like', ...piece, on: true })).rejects.toMatchObject({
      code: 'not_found',
    })
  }
  await api.db.sql`
    insert into marks (account, mark, kind, name, created_at)
    select ${ada.session?.address ?? ''}, 'like', 'connector', 'x' || n, now()
    from generate_series(1, ${MAX_MARKS.like}::int) n`
  await expect(setMark(ada, { ...LIKE, on: true })).rejects.toMatchObject({ code: 'too_many' })
})

test('an account follows formats and saves pieces, each by its own mark', async () => {
  const ada = await newAccount()
  const format = { kind: 'format', name: `0x${'0f'.repeat(32)}` } as const
  await expect(setMark(ada, { mark: 'follow', ...format, on: true })).rejects.toMatchObject({
    code: 'not_found',
  })
  await api.db.sql`insert into formats (format_hash, scalars, connectors) values (${format.name}, '[]', 1)`
  await setMark(ada, { mark: 'follow', ...format, on: true })
  await setMark(ada, { mark: 'save', ...PIECE, on: true })
  expect([await marksOn(ada, format), await marksOn(ada, PIECE)]).toEqual([['follow'], ['save']])
  const account = ada.session?.address ?? ''
  expect(await savedPieces(api, { account, limit: 9 })).toEqual([PIECE])
  expect(await savedPieces(api, { account, kind: 'world', limit: 9 })).toEqual([])
  for (const wrong of [
    { mark: 'like', ...format },
    { mark: 'follow', ...PIECE },
  ] as const) {
    await expect(setMark(ada, { ...wrong, on: true })).rejects.toMatchObject({ code: 'invalid_request' })
  }
})

test('a play counts once for a client and day, and no address is stored', async () => {
  let now = new Date('2026-05-01T23:00:00Z')
  const play = (client: string, name = 'other') =>
    countPlay({ db: api.db, clock: () => now, client }, { kind: 'connector', name })
  await Promise.all(['192.0.2.1', '192.0.2.1', '192.0.2.2'].map((client) => play(client)))
  await play('192.0.2.3', 'unknown')
  const other = { kind: 'connector', name: 'other' } as const
  expect(await counts(other)).toEqual({ likes: 0, plays: 2 })
  const stored = await api.db.sql`select * from play_visitors`
  expect(stored).toHaveLength(2)
  expect(JSON.stringify(stored)).not.toContain('192.0.2')
  now = new Date('2026-05-02T01:00:00Z')
  await play('192.0.2.1')
  expect(await counts(other)).toEqual({ likes: 0, plays: 3 })
  expect(await api.db.sql`select * from play_visitors`).toHaveLength(1)
  expect(await api.db.sql`select * from play_days`).toMatchObject([{ plays: 1 }])
})
