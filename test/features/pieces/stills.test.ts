import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '#lib/core/context/context.ts'
import { setHidden } from '#lib/core/entities/hide-entity.ts'
import { deleteUser } from '#lib/core/people/account-status.ts'
import { deleteUnpublishedStills } from '#lib/features/pieces/collect-stills.ts'
import { deleteStills, findStill, putStill, readStill, removeStill } from '#lib/features/pieces/stills.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { createServicesDispatcher } from '#lib/server/operations/services/dispatcher.ts'
import { pictureOf } from '#lib/views/pictures.ts'
import { openTestContext } from '#test/core/worlds/support/context.ts'
import { picture } from '#test/core/worlds/support/demo-worlds.ts'
import { startServices, type TestServices } from '#test/support/services.ts'
import { until } from '#test/support/until.ts'

const owner: Address = `0x${'a1'.repeat(20)}`
const other: Address = `0x${'b2'.repeat(20)}`
let started: TestServices

beforeAll(async () => {
  started = await startServices()
  await started.db.sql`
    insert into users (address, created_at, updated_at) select address, now(), now()
    from unnest(${[owner, other]}::text[]) address`
  await started.db.sql`
    insert into entities (kind, name, owner, address, content_hash, metadata_hash, title, block_number, block_hash,
      tx_hash, tx_index, log_index)
    values ('connector', 'dawn', ${owner}, '0x', '0x01', '0x', 'Dawn', 1, '0x', '0x', 0, 0),
      ('connector', 'dusk', ${owner}, '0x', '0x02', '0x', 'Dusk', 2, '0x', '0x', 0, 0)`
})
afterAll(() => started.close())

function as(address: Address = owner): Context {
  return openTestContext(started.services, address)
}

function get(hash: string, headers: Record<string, string> = {}): Promise<Response> {
  const serve = createServicesDispatcher({ services: async () => started.services })
  return serve(new Request(`http://localhost:3000/services/stills/${hash}`, { headers }))
}

async function stillOf(name: string): Promise<string> {
  const hash = await findStill(started.services, name)
  if (hash === undefined) throw new Error(`${name} has no still`)
  return hash
}

/** Noise, which no encoder makes small. */
async function noise(side: number): Promise<Uint8Array> {
  let state = 1
  const canvas = createCanvas(side, side)
  const pen = canvas.getContext('2d')
  const pixels = pen.createImageData(side, side)
  for (let at = 0; at < pixels.data.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    pixels.data[at] = at % 4 === 3 ? 255 : state >>> 24
  }
  pen.putImageData(pixels, 0, 0)
  return canvas.encode('png')
}

test('a still is a file of our own making, served at its hash, and the picture of its piece', async () => {
  const secret = Buffer.from('tEXtComment\0<script>alert(1)</script>')
  const chunk = Buffer.alloc(secret.length + 8)
  chunk.writeUInt32BE(secret.length - 4, 0)
  chunk.set(secret, 4)
  chunk.writeUInt32BE(crc32(secret), secret.length + 4)
  const given = Buffer.from(picture())
  // Before its end.
  const laden = Buffer.concat([given.subarray(0, -12), chunk, given.subarray(-12), secret])
  await putStill(as(), { name: 'dawn', png: laden })
  const hash = await stillOf('dawn')
  expect(await pictureOf(as(), 'connector', 'dawn', 'tile')).toEqual({
    storedAt: `/services/stills/${hash}?size=tile`,
  })
  expect(await pictureOf(as(), 'connector', 'dawn', 'card')).toEqual({ storedAt: `/services/stills/${hash}` })

  const answer = await get(hash)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=600',
    'x-content-type-options': 'nosniff',
    etag: `"${hash}"`,
  })
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(hash)
  expect(bytes.toString('latin1')).not.toContain('script')
  const { width, height } = await loadImage(bytes)
  expect([width, height]).toEqual([1200, 630])

  const tileAnswer = await get(`${hash}?size=tile`)
  const tile = Buffer.from(await tileAnswer.arrayBuffer())
  const drawn = await loadImage(tile)
  expect([drawn.width, drawn.height]).toEqual([480, 270])
  expect(tile.length).toBeLessThan(bytes.length)
  const tag = tileAnswer.headers.get('etag')!
  expect((await get(`${hash}?size=tile`, { 'If-None-Match': tag })).status).toBe(304)
  expect((await get(hash, { 'If-None-Match': tag })).status).toBe(200)
  expect((await get(`${hash}?size=huge`)).status).toBe(400)
  await started.db.sql`update piece_stills set tile = null where name = 'dawn'`
  expect(Buffer.from(await (await get(`${hash}?size=tile`)).arrayBuffer())).toEqual(bytes)
  expect((await get(hash, { 'if-none-match': `"${hash}"` })).status).toBe(304)
  expect((await readStill(started.services, hash, { size: 'card', isCached: true })).byteLength).toBe(0)
  for (const unknown of ['ab'.repeat(32), 'x', '%00']) expect((await get(unknown)).status).toBe(404)
})

test('another moment takes its place, noise fits, and what is no picture changes nothing', async () => {
  const before = await stillOf('dawn')
  await putStill(as(), { name: 'dawn', png: await noise(700) })
  const after = await stillOf('dawn')
  expect(after).not.toBe(before)
  expect(
    (await readStill(started.services, after, { size: 'card', isCached: false })).byteLength,
  ).toBeLessThanOrEqual(300_000)
  expect((await get(before)).status).toBe(404)

  // A header that claims more than anybody has memory for is refused before anything is decoded.
  const bomb = Buffer.from(picture())
  bomb.writeUInt32BE(4_000_000_000, 16)
  bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29)
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  const webp = await createCanvas(9, 9).encode('webp')
  for (const png of [bomb, svg, webp, new Uint8Array(0)]) {
    await expect(putStill(as(), { name: 'dawn', png })).rejects.toMatchObject({ code: 'invalid_request' })
  }
  expect(await stillOf('dawn')).toBe(after)
})

test('only the owner takes and removes it, of what is published', async () => {
  const png = picture()
  await expect(putStill(as(other), { name: 'dawn', png })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(removeStill(as(other), 'dawn')).rejects.toMatchObject({ code: 'forbidden' })
  for (const name of ['night', 'a\0b', 'a/b', '']) {
    await expect(putStill(as(), { name, png })).rejects.toMatchObject({ code: 'not_found' })
    await expect(removeStill(as(), name)).rejects.toMatchObject({ code: 'not_found' })
  }
  await putStill(as(), { name: 'dusk', png })
  await removeStill(as(), 'dusk')
  await removeStill(as(), 'dusk')
  expect(await findStill(started.services, 'dusk')).toBeUndefined()
})

test('a name that a reorg gives to another account meanwhile keeps the picture of that account', async () => {
  const { sql } = started.db
  const before = await stillOf('dawn')
  const locked = Promise.withResolvers<void>()
  const moved = Promise.withResolvers<void>()
  const reorg = sql.begin(async (tx) => {
    await tx`select from users where address = ${owner} for update`
    locked.resolve()
    await moved.promise
  })
  await locked.promise
  const storing = putStill(as(), { name: 'dawn', png: picture() })
  const refused = expect(storing).rejects.toMatchObject({ code: 'forbidden' })
  await until('it waits for the account', async () => {
    const waiting = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return waiting.length > 0
  })
  await sql`update entities set owner = ${other} where name = 'dawn'`
  moved.resolve()
  await reorg
  await refused
  await sql`update entities set owner = ${owner} where name = 'dawn'`
  expect(await stillOf('dawn')).toBe(before)
})

test('that of a draft waits for exactly its publication; a few wait', async () => {
  const { sql } = started.db
  const draft = async (name: string, contentHash: string) => {
    await sql`
      insert into artifacts (content_hash, kind, name, body) values (${contentHash}, 'connector', ${name}, '{}')`
    await sql`
      insert into drafts (kind, name, owner, content_hash) values ('connector', ${name}, ${owner}, ${contentHash})`
    await putStill(as(), { name, png: picture() })
  }
  await draft('noon', '0x0a')
  await expect(putStill(as(other), { name: 'noon', png: picture() })).rejects.toMatchObject({
    code: 'not_found',
  })
  const [row] = await sql<{ hash: string }[]>`select hash from piece_stills where name = 'noon'`
  expect(await findStill(started.services, 'noon')).toBeUndefined()
  // Declined before the publication, it is taken back.
  await removeStill(as(), 'noon')
  expect(await sql`select from piece_stills where name = 'noon'`).toHaveLength(0)
  await expect(removeStill(as(other), 'noon')).rejects.toMatchObject({ code: 'not_found' })
  await putStill(as(), { name: 'noon', png: picture() })
  // Until its piece is published the picture is not served.
  await sql`delete from piece_stills where name = 'dawn'`
  expect((await get(row!.hash)).status).toBe(404)
  const publish = (contentHash: string) => sql`
    insert into entities (kind, name, owner, address, content_hash, metadata_hash, block_number, block_hash, tx_hash,
      tx_index, log_index)
    values ('connector', 'noon', ${owner}, '0x', ${contentHash}, '0x', 3, '0x', '0x', 0, 0)
    on conflict (kind, name) do update set content_hash = excluded.content_hash`
  await publish('0x0b')
  expect(await findStill(started.services, 'noon')).toBeUndefined()
  await publish('0x0a')
  expect(await stillOf('noon')).toBe(row?.hash)
  expect((await get(row!.hash)).status).toBe(200)

  for (const [index, name] of ['one', 'two', 'three', 'four', 'five', 'six'].entries()) {
    await draft(name, `0x1${index}`)
  }
  const stored = await sql<{ name: string }[]>`select name from piece_stills order by name`
  expect(stored).toHaveLength(5)
  expect(stored.map(({ name }) => name)).toContain('noon')
  await putStill(as(), { name: 'dawn', png: await noise(300) })
})

test('that of a piece that is never published is deleted after 30 days, that of a removed piece as late', async () => {
  const { sql } = started.db
  const day = 24 * 60 * 60_000
  const collectIn = (days: number) =>
    deleteUnpublishedStills({ db: started.db, clock: () => new Date(Date.now() + days * day) })
  const left = async () =>
    (await sql<{ name: string }[]>`select name from piece_stills order by name`).map(({ name }) => name)
  const before = await left()
  expect(before).toEqual(expect.arrayContaining(['dawn', 'noon', 'six']))
  // Sees that `noon` is published.
  expect(await collectIn(0)).toBe(0)
  await sql`delete from entities where name = 'noon'`
  expect([await collectIn(29), await left()]).toEqual([0, before])
  expect(await collectIn(31)).toBe(3)
  expect(await left()).toEqual(['dawn', 'noon'])
  expect(await collectIn(58)).toBe(0)
  expect(await collectIn(60)).toBe(1)
  expect(await left()).toEqual(['dawn'])
})

test('a site without room stores none', async () => {
  const { config, db } = started.services
  await db.sql`
    insert into blobs (hash, size) select 'full-' || i, ${2 ** 30} from generate_series(0, ${config.worldMib.inAll / 1024}::int) i`
  const before = await stillOf('dawn')
  await expect(putStill(as(), { name: 'dawn', png: await noise(200) })).rejects.toMatchObject({
    code: 'storage_full',
  })
  expect(await stillOf('dawn')).toBe(before)
  await db.sql`delete from blobs where hash like 'full-%'`
})

test('it is not shown while its piece is hidden, nor of another connector of the name', async () => {
  const hash = await stillOf('dawn')
  const moderation = { name: 'dawn', kind: 'connector', operator: 'ada', reason: 'insults' } as const
  await setHidden(started.services, { ...moderation, hidden: true })
  expect(await findStill(started.services, 'dawn')).toBeUndefined()
  expect((await get(hash)).status).toBe(404)
  await setHidden(started.services, { ...moderation, hidden: false })
  expect(await stillOf('dawn')).toBe(hash)
  await started.db.sql`update entities set content_hash = '0x03' where name = 'dawn'`
  expect(await findStill(started.services, 'dawn')).toBeUndefined()
  await started.db.sql`update entities set content_hash = '0x01' where name = 'dawn'`
})

test('it goes with its account', async () => {
  await deleteUser(as(), { address: owner, more: [deleteStills] })
  expect(await started.db.sql`select from piece_stills`).toHaveLength(0)
})
