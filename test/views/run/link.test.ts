import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  MAX_LINK_LENGTH,
  newestRunHref,
  type Query,
  type RunLink,
  readRunLink,
  runHref,
} from '#lib/protocol/run-link.ts'
import { NO_STARTS, readTypedStarts, typedStartsOf, withTypedStart } from '#lib/studio/runs/typed-starts.ts'
import { isBrokenRunLink, queryOf } from '#lib/views/page-exists.ts'

const uint32 = fc.integer({ min: 0, max: 4_294_967_295 })
const links: fc.Arbitrary<RunLink> = fc.record(
  {
    connector: fc.constantFrom('pitch', '_', 'toString', '__proto__', 'valueOf'),
    count: fc.integer({ min: 1, max: 65_536 }),
    dynamicRi: fc
      .uniqueArray(fc.record({ position: uint32, startPoint: uint32, transformationShift: uint32 }), {
        selector: ({ position }) => position,
        maxLength: 40,
      })
      .map((list) => list.sort((a, b) => a.position - b.position)),
    world: fc.constantFrom('piano-roll', '1', `wld_${'a2'.repeat(10)}`),
    block: fc.record({
      number: fc.nat(),
      hash: fc
        .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 64, maxLength: 64 })
        .map((digits) => `0x${digits.join('')}` as const),
    }),
  },
  { requiredKeys: ['connector', 'count', 'dynamicRi'] },
)

function problemsOf(query: Query, name = 'pitch') {
  const read = readRunLink(name, query)
  return read.ok ? [] : read.problems
}

describe('the link of a run', () => {
  test('encodes the run: parsing it returns the run, with the same canonical spelling', () => {
    fc.assert(
      fc.property(links, (link) => {
        const href = runHref(link)
        const read = readRunLink(link.connector, queryOf(new URL(href, 'http://localhost').searchParams))
        expect(read).toEqual({ ok: true, link, newest: false, canonical: true })
        expect(read.ok && runHref(read.link)).toBe(href)
      }),
    )
  })

  test('has 64 particles and no starts by default', () => {
    const read = readRunLink('pitch', {})
    expect(read).toMatchObject({ ok: true, link: { connector: 'pitch', count: 64, dynamicRi: [] } })
  })

  test('takes its World along to a run on chain, and leaves it out of the picture', () => {
    const link = {
      connector: 'pitch',
      count: 8,
      dynamicRi: [],
      world: 'piano-roll',
      slots: [{ slot: 'time', connector: 'clock' }],
    }
    const href = '/run/pitch?count=8&world=piano-roll&slots=time:clock'
    expect(newestRunHref(link)).toBe(`${href}&at=newest`)
    expect(readRunLink('pitch', queryOf(new URL(href, 'http://localhost').searchParams))).toMatchObject({
      link,
    })
    expect(runHref(link, '/image')).toBe('/run/pitch/image?count=8')
  })

  test('takes what a form without a script sends, and has another spelling then', () => {
    const read = readRunLink('pitch', {
      count: '8',
      ri: '2:5',
      'start.1': ' 60 ',
      'shift.1': '',
      'start.2': '',
      'shift.3': '1',
      at: 'newest',
    })
    expect(read).toMatchObject({ ok: true, newest: true, canonical: false })
    expect(read.ok && runHref(read.link)).toBe('/run/pitch?count=8&ri=1:60,2:5,3:0:1')
  })

  test.each<[string, Query, RegExp]>([
    ['count of nothing', { count: '0' }, /count is “0”/],
    ['count too large', { count: '65537' }, /from 1 to 65,536/],
    ['count of no digits', { count: '1e3' }, /count is “1e3”/],
    ['a parameter twice', { count: ['1', '2'] }, /count is given 2 times/],
    ['a start that is no number', { ri: '1:x' }, /ri holds “1:x”/],
    ['a start beyond uint32', { ri: '1:4294967296' }, /ri holds/],
    ['a position twice', { ri: '1:2,1:3' }, /position 1 twice/],
    ['a start of four numbers', { ri: '1:2:3:4' }, /ri holds/],
    ['a typed start that is no number', { 'start.1': '-1' }, /start at position 1 is “-1”/],
    ['a hash alone', { hash: `0x${'a'.repeat(64)}` }, /number of a block/],
    ['a block alone', { block: '5' }, /hash of the block/],
    ['a hash too short', { block: '5', hash: '0xabc' }, /64 hexadecimal digits/],
    ['another block than the newest', { at: 'finalized' }, /newest/],
    ['a World that none can be', { world: '../upload' }, /world is “..\/upload”/],
    ['slots without connectors', { world: 'a', slots: 'time' }, /slots must be/],
    ['two Worlds', { world: ['a', 'b'] }, /world is given 2 times/],
    ['very long', { ri: 'x'.repeat(100_000) }, /ri holds “x{23}…”/],
  ])('%s is refused in words', (_, query, words) => {
    expect(problemsOf(query).join(' ')).toMatch(words)
  })

  test('is reported as invalid only at its own address', () => {
    expect(isBrokenRunLink('/run/pitch?count=0')).toBe(true)
    expect(isBrokenRunLink('/run/pitch?count=1&count=2')).toBe(true)
    for (const url of [
      '/run/pitch',
      '/run/pitch?count=8&utm=x',
      '/connectors/pitch?count=0',
      '/run/a/b?count=0',
      '//',
      '//run/x?count=0',
    ]) {
      expect(isBrokenRunLink(url)).toBe(false)
    }
  })

  test('of more starts than a run takes is refused', () => {
    const ri = Array.from({ length: 4097 }, (_, position) => `${position}:1`).join(',')
    expect(problemsOf({ ri })).toEqual(['At most 4096 starts can be set.'])
    expect(ri.length).toBeGreaterThan(MAX_LINK_LENGTH)
  })
})

describe('typed starts', () => {
  test('are empty while both fields are empty, and 0 for the empty one of a pair', () => {
    let typed = withTypedStart(NO_STARTS, 3, { start: '7' })
    typed = withTypedStart(typed, 1, { shift: '2' })
    expect(readTypedStarts(typed)).toEqual({
      ok: true,
      dynamicRi: [
        { position: 1, startPoint: 0, transformationShift: 2 },
        { position: 3, startPoint: 7, transformationShift: 0 },
      ],
    })
    typed = withTypedStart(typed, 1, { shift: ' ' })
    expect([...typed.keys()]).toEqual([3])
  })

  test('that are no uint32 are reported at their field', () => {
    const typed = withTypedStart(withTypedStart(NO_STARTS, 1, { start: '4294967296' }), 2, { shift: 'x' })
    const read = readTypedStarts(typed)
    expect(read.ok ? [] : [...read.problems]).toEqual([
      [1, '4294967296 is outside 0 to 4294967295.'],
      [2, '“x” is not a whole number.'],
    ])
  })

  test('are at most as many as a run takes', () => {
    const many = Array.from({ length: 4097 }, (_, position) => ({
      position,
      startPoint: 1,
      transformationShift: 0,
    }))
    expect(readTypedStarts(typedStartsOf(many)).ok).toBe(false)
    expect(readTypedStarts(typedStartsOf(many.slice(1)))).toEqual({ ok: true, dynamicRi: many.slice(1) })
  })
})
