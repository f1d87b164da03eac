import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wordsForSearch } from '#lib/core/indexer/author-words.ts'
import type { Hit } from '#lib/features/search/hit.ts'
import { search } from '#lib/features/search/search.ts'
import type { ListedKind } from '#lib/protocol/listed-kind.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'

let db: TestDatabase
const owner = `0x${'1'.repeat(40)}`
const ada = `0xada0${'2'.repeat(36)}`
const format = `0x${'ab'.repeat(32)}`

beforeAll(async () => {
  db = await createTestDatabase()
  const entities: [string, string][] = [
    ['connector', 'pitch'],
    ['connector', 'Pitch'],
    ['connector', 'pitch_low'],
    ['connector', 'high_pitch'],
    ['connector', 'toString'],
    ['connector', 'a_b'],
    ['connector', 'axb'],
    ['transformation', 'pitch'],
    ['transformation', 'bounce'],
    ['condition', 'tutorial_divisible_v1'],
  ]
  for (const [index, [kind, name]] of entities.entries()) {
    await db.sql`
      insert into entities (kind, name, owner, address, content_hash, metadata_hash, block_number, block_hash, tx_hash,
        tx_index, log_index, format_hash)
      values (${kind}, ${name}, ${owner}, '0x', ${`h${index}`}, 'm', ${index}, 'b', 't', 0, 0, ${format})`
  }
  await db.sql`
    update entities set title = 'ÉTUDE in the rain', search_title = 'étude in the rain' where kind = 'connector' and name = 'axb'`
  await db.sql`insert into artifacts (content_hash, kind, name, body) values ('d', 'connector', 'sketch', '{}')`
  await db.sql`insert into drafts (kind, name, owner, content_hash) values ('connector', 'sketch', ${owner}, 'd')`
  await db.sql`insert into drafts (kind, name, owner, content_hash) values ('connector', 'pitch', ${ada}, 'd')`
  await db.sql`insert into formats values (${format}, '["pitch:0", "velocity:0"]', 4)`
  await db.sql`insert into accounts values (${owner}, 10)`
  await db.sql`
    insert into users (address, created_at, updated_at, search_text, status) values
      (${ada}, now(), now(), ${'Ada Lovelace\nweaver'}, 'active'),
      (${`0xdead${'3'.repeat(36)}`}, now(), now(), 'Ada Gone', 'suspended')`
  await db.sql`
    insert into worlds values ('wld_1', 'tone-cloud', ${owner}, 'active', '1', 'b', 'm', 'index.html', '{world-page}',
      '{}', '{"name": "Tone cloud"}', ${'tone cloud\ntone-cloud\nrain on glass'}, now(), now())`
})
afterAll(() => db.close())

async function found(text: string, kinds?: readonly ListedKind[]): Promise<string[]> {
  const { hits } = await search({ db }, { text, ...(kinds && { kinds }) })
  return [...hits.values()].flat().map((hit) => `${hit.kind} ${labelOf(hit)} ${hit.match}`)
}

function labelOf(hit: Hit): string {
  if (hit.kind === 'format') return hit.formatHash.slice(0, 6)
  if (hit.kind === 'person') return hit.name ?? hit.address.slice(0, 6)
  return hit.kind === 'world' ? hit.slug : hit.name
}

test('one text finds everything that it may mean, the exact ones first', async () => {
  expect(await found('pitch')).toEqual([
    'connector pitch exact',
    'connector Pitch exact',
    'connector pitch_low beginning',
    'connector high_pitch part',
    'transformation pitch exact',
    'format 0xabab part',
  ])
  expect(await found('Pitch', ['connector'])).toMatchObject({ 0: 'connector Pitch exact' })
})

test.each([
  ['pich', 'connector pitch alike'],
  ['bounse', 'transformation bounce alike'],
  ['divisable', 'condition tutorial_divisible_v1 alike'],
  ['adda lovlace', 'person Ada Lovelace alike'],
  ['tone clowd', 'world tone-cloud alike'],
])('%s is understood as %s', async (typed, hit) => {
  // A busy machine does without misspellings, rather than let people wait.
  await expect.poll(() => found(typed)).toContain(hit)
})

test('connectors are found by their titles, and keep their names', async () => {
  for (const [typed, match] of [
    ['Étude in the  rain', 'exact'],
    ['e\u0301TUDE', 'beginning'],
    ['the rain', 'part'],
    ['etude in teh rain', 'alike'],
  ] as const) {
    const kinds = ['connector', 'transformation'] as const
    const hitsOf = async () => [...(await search({ db }, { text: typed, kinds })).hits.values()].flat()
    await expect
      .poll(hitsOf)
      .toEqual([{ kind: 'connector', match, name: 'axb', title: 'ÉTUDE in the rain', owner, draft: false }])
  }
  await db.sql`update entities set title = null, search_title = null where name = 'axb'`
  expect(await found('étude')).toEqual([])
})

test('all kinds are found by words of their descriptions, in any order, after names and titles', async () => {
  await db.sql`
    update entities set search_words = ${wordsForSearch('Three strokes in eight: the Tresillo, and its étude.')}
    where name in ('axb', 'bounce')`
  await db.sql`update entities set title = 'Tresillo', search_title = 'tresillo' where name = 'a_b'`
  const kinds = ['connector', 'transformation'] as const
  expect(await found('tresillo', kinds)).toEqual([
    'connector a_b exact',
    'connector axb part',
    'transformation bounce part',
  ])
  expect(await found('E\u0301tude, strokes', kinds)).toEqual([
    'connector axb part',
    'transformation bounce part',
  ])
  expect(await found('illo', kinds)).toEqual(['connector a_b part'])
  expect(await found('tresillo waltz', ['transformation'])).toEqual([])
  await db.sql`update entities set title = null, search_title = null, search_words = null`
})

test('many descriptions with a word leave a misspelled name its correction', async () => {
  await db.sql`update entities set search_words = ${wordsForSearch('pich')} where lower(name) <> 'pitch'`
  const hits = await found('pich', ['connector'])
  expect(hits.filter((hit) => hit.endsWith('part'))).toHaveLength(5)
  expect(hits).toContain('connector pitch alike')
  await db.sql`update entities set search_words = null`
})

test('users are found by name, address and its prefix; deleted ones are not', async () => {
  expect(await found('ada', ['person'])).toEqual(['person Ada Lovelace beginning'])
  expect(await found('weaver', ['person'])).toEqual(['person Ada Lovelace part'])
  expect(await found('ada lovelace', ['person'])).toEqual(['person Ada Lovelace exact'])
  expect(await found('0xADA02', ['person'])).toEqual(['person Ada Lovelace beginning'])
  expect(await found(owner.toUpperCase().replace('0X', ''))).toEqual(['person 0x1111 exact'])
  expect(await found(`0x${'9'.repeat(40)}`)).toEqual(['person 0x9999 exact'])
})

test('formats are found by their hash, Worlds by their words, drafts by their exact name only', async () => {
  expect(await found(format.slice(2))).toEqual(['format 0xabab exact'])
  expect(await found('ABAB')).toEqual(['format 0xabab beginning'])
  expect(await found('rain', ['world'])).toEqual(['world tone-cloud part'])
  expect(await found('Tone Cloud', ['world'])).toEqual(['world tone-cloud exact'])
  expect(await found('sketch')).toEqual(['connector sketch exact'])
  expect(await found('sketc')).toEqual([])
  const { hits } = await search({ db }, { text: 'pitch' })
  expect(hits.get('connector')?.[0]).toMatchObject({ owner, draft: false })
})

describe('what people type stays text', () => {
  test.each<[string, string, string[]]>([
    ['a wildcard for many', '%', []],
    ['a wildcard for one', '_', []],
    ['an escape', '\\', []],
    ['a statement', "'; drop table entities; --", []],
    ['a wildcard in a name', 'a_b', ['connector a_b exact']],
    ['the same in capitals', 'A_B', ['connector a_b exact']],
    ['control characters', '\u0000\u0007', []],
    ['blanks', '   ', []],
    ['half a character', '\ud800', []],
    ['ten kilobytes', 'x'.repeat(10_000), []],
    ['many wide characters', '🙂'.repeat(5000), []],
    ['a name of JavaScript', '__proto__', []],
    ['another', 'toString', ['connector toString exact']],
  ])('%s', async (_what, typed, hits) => {
    expect(await found(typed, ['connector', 'condition', 'format', 'world'])).toEqual(hits)
  })
})

test('a server without trigrams finds all but misspellings', async () => {
  const plain = await createTestDatabase()
  try {
    await plain.sql`drop extension pg_trgm cascade`
    await plain.sql`
      insert into entities (kind, name, owner, address, content_hash, metadata_hash, block_number, block_hash, tx_hash,
        tx_index, log_index)
      values ('connector', 'high_pitch', ${owner}, '0x', 'h', 'm', 1, 'b', 't', 0, 0)`
    const names = async (text: string) =>
      (await search({ db: plain }, { text, kinds: ['connector', 'person', 'world'] })).hits.get('connector')
    expect(await names('pitch')).toMatchObject([{ name: 'high_pitch', match: 'part' }])
    expect(await names('high_pich')).toEqual([])
  } finally {
    await plain.close()
  }
})
