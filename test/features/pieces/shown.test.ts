import type postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '#lib/core/context/context.ts'
import { findAuthorWords, findPieces } from '#lib/core/entities/author-words.ts'
import { setHidden } from '#lib/core/entities/hide-entity.ts'
import { titleForSearch } from '#lib/core/indexer/author-words.ts'
import { deleteUser } from '#lib/core/people/account-status.ts'
import {
  deleteShownPieces,
  putShownPiece,
  readShownPiece,
  removeShownPiece,
} from '#lib/features/pieces/shown.ts'
import { readWall } from '#lib/features/pieces/wall.ts'
import { search } from '#lib/features/search/search.ts'
import { encodeAuthorMetadata } from '#lib/protocol/author-metadata.ts'
import type { Address } from '#lib/protocol/entity.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'
import { oEmbed } from '#lib/views/oembed.ts'
import { pictureScene } from '#lib/views/pictures.ts'
import { openTestContext } from '#test/core/worlds/support/context.ts'
import { startServices, type TestServices } from '#test/support/services.ts'
import { until } from '#test/support/until.ts'

const owner: Address = `0x${'a1'.repeat(20)}`
const other: Address = `0x${'b2'.repeat(20)}`
const HARP = 'ab'.repeat(32)
const CLOTH = 'cd'.repeat(32)

let started: TestServices

beforeAll(async () => {
  started = await startServices()
  await started.db.sql`
    insert into users (address, created_at, updated_at) select address, now(), now()
    from unnest(${[owner, other]}::text[]) address`
  await publish('dawn', 1, { title: 'Dawn over the mill', present: presentation(HARP) })
  await publish('dusk', 2, { title: 'Dusk' })
  await publish('part', 3)
})
afterAll(() => started.close())

function presentation(bundle: string): Presentation {
  return { particles: 64, tempo: 368, loop: true, world: { bundle_hash: bundle, slug: 'harp' } }
}

async function publish(name: string, block: number, words?: { title: string; present?: Presentation }) {
  const { sql } = started.db
  const metadata = words === undefined ? null : Buffer.from(encodeAuthorMetadata(words).slice(2), 'hex')
  const { title = null, present } = words ?? {}
  await sql`
    insert into entities (kind, name, owner, address, content_hash, metadata_hash, metadata, title, search_title,
      presentation, block_number, block_hash, tx_hash, tx_index, log_index)
    values ('connector', ${name}, ${owner}, '0x', ${`0x${block}`}, '0x', ${metadata}, ${title},
      ${title === null ? null : titleForSearch(title)}, ${present === undefined ? null : JSON.stringify(present)}::jsonb,
      ${block}, '0x', '0x', 0, 0)`
}

function as(address: Address = owner): Context {
  return openTestContext(started.services, address)
}

function change(name: string, title?: string, present?: Presentation): Promise<void> {
  return putShownPiece(as(), { name, title, present })
}

async function wall(bundles?: readonly string[]): Promise<readonly (string | undefined)[]> {
  const query = { remixed: false, sinceMs: undefined, follower: undefined, after: undefined, limit: 9 }
  return (await readWall(started.services, { ...query, bundles })).pieces.map(
    ({ name, title }) => title ?? name,
  )
}

async function found(text: string): Promise<readonly (string | undefined)[]> {
  const { hits } = await search(started.services, { text, kinds: ['connector'] })
  return (hits.get('connector') ?? []).map((hit) => (hit.kind === 'connector' ? hit.title : undefined))
}

/** Places that are not those of an empty wall to which every piece is added as it is shown now. */
async function wrongPlaces(): Promise<readonly unknown[]> {
  return started.db.sql`
    with counted as (
      select s.scope, e.name, least(10, row_number() over (
        partition by s.scope, e.owner order by e.block_number desc) - 1)::int as turn
      from entities e left join shown_pieces c on c.name = e.name and c.content_hash = e.content_hash
      cross join lateral unnest(wall_scopes(
        case when c.name is null then e.presentation else c.presentation end, false)) s(scope)
      where e.title is not null or e.presentation is not null or c.name is not null
    ), stored as (select scope, name, turn from wall_places)
    (select * from counted except select * from stored) union all (select * from stored except select * from counted)`
}

test('what an owner changes is what words, lists, wall and search show; the chain keeps its own', async () => {
  await change('dawn', 'Evening at sea', { ...presentation(CLOTH), particles: 32 })
  expect(await findAuthorWords(as(), 'connector', 'dawn')).toEqual({
    title: 'Evening at sea',
    present: { ...presentation(CLOTH), particles: 32 },
    sourceState: 'open',
    isChanged: true,
  })
  expect(await findAuthorWords(as(), 'connector', 'dawn', { asPublished: true })).toEqual({
    title: 'Dawn over the mill',
    present: presentation(HARP),
    sourceState: 'open',
  })
  expect((await findPieces(as(), ['dawn', 'dusk', 'part'])).get('dawn')?.title).toBe('Evening at sea')
  expect(await readShownPiece(as(other), 'dawn')).toMatchObject({ title: 'Evening at sea', isChanged: true })
  expect(await wall()).toEqual(['Dusk', 'Evening at sea'])
  expect([await wall([HARP]), await wall([CLOTH])]).toEqual([[], ['Evening at sea']])
  expect(await found('evening')).toEqual(['Evening at sea'])
  // A busy machine does without misspellings, rather than let people wait.
  await expect.poll(() => found('evenin at sae')).toEqual(['Evening at sea'])
  expect(await found('dawn')).toEqual(['Evening at sea'])
  const url = `${as().config.siteOrigin}/connectors/dawn`
  expect(await oEmbed(as(), new URLSearchParams({ url }))).toMatchObject({ title: 'Evening at sea' })
  expect(await pictureScene(as(), 'connector', 'dawn', 'card')).toMatchObject({ title: 'Evening at sea' })
  expect(await wrongPlaces()).toEqual([])
})

test('a part becomes a piece, and a part again', async () => {
  await change('part', 'A whole')
  expect(await wall()).toEqual(['A whole', 'Dusk', 'Evening at sea'])
  expect(await findAuthorWords(as(), 'connector', 'part', { asPublished: true })).toBeUndefined()
  expect(await wrongPlaces()).toEqual([])
  await removeShownPiece(as(), 'part')
  await removeShownPiece(as(), 'part')
  expect(await wall()).toEqual(['Dusk', 'Evening at sea'])
  expect(await findAuthorWords(as(), 'connector', 'part')).toBeUndefined()
  expect(await wrongPlaces()).toEqual([])
})

test('a change without a World takes the piece out of its lists', async () => {
  await change('dawn', undefined, { particles: 8, tempo: 90, loop: false })
  expect([await wall([CLOTH]), await wall()]).toEqual([[], ['Dusk', 'dawn']])
  expect(await wrongPlaces()).toEqual([])
  await change('dawn', 'Evening at sea', presentation(CLOTH))
  expect(await wrongPlaces()).toEqual([])
})

test('a change waits for a batch of the indexer only where that has pieces of the same account', async () => {
  const { sql } = started.db
  const add = (by: postgres.ISql, name: string, block: number, account: Address) => by`
    insert into entities (kind, name, owner, address, content_hash, metadata_hash, title, search_title, block_number,
      block_hash, tx_hash, tx_index, log_index)
    values ('connector', ${name}, ${account}, '0x', ${`0x${block}`}, '0x', ${name}, ${name}, ${block}, '0x', '0x', 0, 0)`
  await sql.begin(async (batch) => {
    await add(batch, 'elsewhere', 4, other)
    // It would never end.
    await change('part', 'Not of the batch')
  })
  expect(await wrongPlaces()).toEqual([])
  let changed: Promise<void> | undefined
  await sql.begin(async (batch) => {
    await add(batch, 'late', 5, owner)
    changed = change('part', 'Of the batch')
    await until('the change waits for the batch', async () => {
      const waiting = await sql`
        select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`
      return waiting.length === 1
    })
  })
  await changed
  expect(await wrongPlaces()).toEqual([])
  await removeShownPiece(as(), 'part')
  await sql`delete from entities where name = any('{elsewhere,late}')`
  expect(await wrongPlaces()).toEqual([])
})

test('only its owner changes what is published, to something', async () => {
  for (const [name, by, code] of [
    ['dawn', other, 'forbidden'],
    ['nothing', owner, 'not_found'],
    ['a\0b', owner, 'not_found'],
  ] as const) {
    await expect(putShownPiece(as(by), { name, title: 'x', present: undefined })).rejects.toMatchObject({
      code,
    })
    await expect(removeShownPiece(as(by), name)).rejects.toMatchObject({ code })
  }
  await expect(change('dawn')).rejects.toMatchObject({ code: 'invalid_request' })
})

test('it is not shown while its piece is hidden, nor of another connector of the name', async () => {
  const titleOf = async () => (await findAuthorWords(as(), 'connector', 'dawn'))?.title
  const moderation = { name: 'dawn', kind: 'connector', operator: 'ada', reason: 'insults' } as const
  await setHidden(started.services, { ...moderation, hidden: true })
  expect([await titleOf(), await found('evening')]).toEqual(['Dawn over the mill', []])
  await expect(readShownPiece(as(), 'dawn')).rejects.toThrow()
  await setHidden(started.services, { ...moderation, hidden: false })
  expect(await titleOf()).toBe('Evening at sea')
  await started.db.sql`update entities set content_hash = '0x99' where name = 'dawn'`
  expect(await titleOf()).toBe('Dawn over the mill')
  expect(await wall([HARP])).toEqual(['Dawn over the mill'])
  expect(await wrongPlaces()).toEqual([])
  await started.db.sql`update entities set content_hash = '0x1' where name = 'dawn'`
  expect(await wall([CLOTH])).toEqual(['Evening at sea'])
  expect(await wrongPlaces()).toEqual([])
})

test('it goes with its account', async () => {
  await deleteUser(as(), { address: owner, more: [deleteShownPieces] })
  expect(await started.db.sql`select from shown_pieces`).toHaveLength(0)
  expect(await wall([HARP])).toEqual(['Dawn over the mill'])
  expect(await wrongPlaces()).toEqual([])
})
