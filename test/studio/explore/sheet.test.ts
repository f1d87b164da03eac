import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { createEngine, translators } from '#lib/engine/engine.ts'
import type { Variations } from '#lib/engine/variations/variations.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import type { Sheet } from '#lib/studio/explore/messages.ts'
import { bred, genesOf, type Locks, mutated, seededRandom } from '#lib/studio/explore/mutate.ts'
import { makeSheet } from '#lib/studio/explore/sheet-task.ts'
import { applyVariation, changesOf, variedCopy } from '#lib/ui/studio/explore/numbers.ts'
import { runtimeOf } from '#test/engine/compiled-bodies.ts'
import { Shelf } from '#test/support/definitions.ts'
import { codeEntry, connectorEntry, dimension, documentOf } from '../document/entries.ts'

const FREE: Locks = { starts: false, arguments: false, order: false }
const LIMITS = { steps: 1_000_000, gas: 0n, milliseconds: 1000 }
const BODIES = { add: ['return x + args[0];', 1], keep: ['return x;', 0] } as const

let variations: Variations
let inner: Variations

beforeAll(() => {
  const shelf = new Shelf()
  for (const [name, [body, argsCount]] of Object.entries(BODIES)) {
    const runtime = `0x${Buffer.from(runtimeOf(body)).toString('hex')}` as const
    const contentHash = codeContentHash('transformation', name, argsCount, runtime)
    shelf.add({ kind: 'transformation', name, argsCount, runtime, contentHash })
  }
  const part = shelf.connector({
    name: 'part',
    dimensions: [{ transformations: [{ name: 'add', args: [3] }] }],
    static_ri: { 1: { start_point: 7, transformation_shift: 0 } },
  })
  const song = shelf.connector({
    name: 'song',
    dimensions: [
      { transformations: [{ name: 'add', args: [5] }, { name: 'keep' }, { name: 'add', args: [200] }] },
      { transformations: [{ name: 'add', args: [1] }], composite: 'part' },
    ],
    static_ri: { 1: { start_point: 60, transformation_shift: 0 } },
  })
  const engine = createEngine({ translators })
  variations = engine.vary({ root: song.contentHash, artifacts: shelf.all() }, LIMITS)!
  inner = engine.vary({ root: part.contentHash, artifacts: shelf.all() }, LIMITS)!
})

function sheetOf(options: Partial<Parameters<typeof makeSheet>[1]> = {}): Sheet {
  const sheet = makeSheet(variations, {
    root: 'song',
    size: 32,
    seed: 4711,
    locks: FREE,
    parents: [],
    ...options,
  })
  return typeof sheet === 'string' ? expect.fail(sheet) : sheet
}

describe('other numbers', () => {
  test('stay in their bounds, near what they were, and leave alone what is locked', () => {
    const locks = fc.record({ starts: fc.boolean(), arguments: fc.boolean(), order: fc.boolean() })
    const { layout } = variations
    const { own, rows, positions } = layout
    fc.assert(
      fc.property(
        locks,
        fc.nat(0xffff_ffff),
        fc.double({ min: 0.1, max: 1, noNaN: true }),
        (lock, seed, strength) => {
          const numbers = mutated(own, genesOf(layout, 'song', lock), seededRandom(seed), strength)
          expect(numbers.length).toBe(own.length)
          expect([...numbers.slice(0, 2)]).toEqual([...own.slice(0, 2)])
          for (const { position, isFixedBelow, isIndex } of positions) {
            const [before, after] = [own[2 * position]!, numbers[2 * position]!]
            if (lock.starts || isFixedBelow) expect(after).toBe(before)
            else if (before > 0) expect(after >= Math.floor(before / 8) && after <= before * 8 + 1).toBe(true)
            if (isIndex) expect(after).toBeLessThanOrEqual(4095)
          }
          for (const { connector, at, width, count, codes } of rows) {
            const rowsOf = (cells: Uint32Array) =>
              Array.from({ length: count }, (_, row) => [
                ...cells.slice(at + row * width, at + (row + 1) * width),
              ])
            const [before, after] = [rowsOf(own), rowsOf(numbers)]
            if (connector !== 'song' || (lock.arguments && lock.order)) expect(after).toEqual(before)
            if (lock.order) expect(after.map(([code]) => code)).toEqual(before.map(([code]) => code))
            if (lock.arguments) expect(after.toSorted()).toEqual(before.toSorted())
            expect(after.map(([code]) => code).toSorted()).toEqual(before.map(([code]) => code).toSorted())
            // What is not an argument stays empty, and no argument becomes 0.
            for (const [code, ...args] of after) {
              const { argsCount } = codes[code!]!
              expect(args.slice(0, argsCount).every((arg) => arg > 0)).toBe(true)
              expect(args.slice(argsCount).every((arg) => arg === 0)).toBe(true)
            }
          }
        },
      ),
    )
  })

  test('near the largest uint32 stay uint32', () => {
    const { layout } = variations
    const numbers = layout.own.slice()
    for (const { position } of layout.positions) numbers[2 * position] = 0xffff_fff0
    const genes = genesOf(layout, 'song', { ...FREE, arguments: true, order: true })
    for (let seed = 0; seed < 200; seed++) {
      const next = mutated(numbers, genes, seededRandom(seed))
      expect(next[2]).toBeGreaterThanOrEqual(0x1000_0000)
      // Values that index another connector are drawn where it can be computed.
      expect(next[4] === numbers[4] || next[4]! <= 4095).toBe(true)
    }
  })

  test('of a mix are each those of one of the two', () => {
    const { layout } = variations
    const genes = genesOf(layout, 'song', { ...FREE, order: true })
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = seededRandom(seed)
        const [one, other] = [mutated(layout.own, genes, random), mutated(layout.own, genes, random)]
        const child = bred(one, other, layout, random)
        for (const [index, number] of child.entries()) expect([one[index], other[index]]).toContain(number)
      }),
    )
  })
})

describe('a sheet', () => {
  test('follows from its seed; a smaller one is its beginning', () => {
    const numbersOf = (sheet: Sheet) =>
      sheet.variations.map(({ index, numbers }) => `${index}: ${numbers.join()}`)
    const sheet = sheetOf()
    expect(numbersOf(sheetOf())).toEqual(numbersOf(sheet))
    expect(numbersOf(sheetOf({ seed: 4712 }))).not.toEqual(numbersOf(sheet))
    expect(numbersOf(sheetOf({ size: 16 }))).toEqual(numbersOf(sheet).slice(0, 16))
  })

  test('begins with what is open, repeats no picture, and holds what the engine generates', () => {
    const { variations: found, paths, window } = sheetOf()
    expect([...found[0]!.numbers]).toEqual([...variations.layout.own])
    expect(new Set(found.map(({ values }) => values.join())).size).toBe(found.length)
    const out = new Uint32Array(paths.length * window)
    for (const { numbers, values } of found) {
      expect(variations.runPlainly(numbers, window, out)).toBe('returned')
      expect(values).toEqual(out)
    }
  })

  test('has nothing to draw where all is locked or fixed, and takes no numbers of another connector', () => {
    const locked = { starts: true, arguments: true, order: true }
    expect(makeSheet(variations, { root: 'song', size: 16, seed: 1, locks: locked, parents: [] })).toBe(
      'fixed',
    )
    expect(
      makeSheet(inner, { root: 'other', size: 16, seed: 1, locks: { ...FREE, starts: true }, parents: [] }),
    ).toBe('fixed')
    const strange = sheetOf({ parents: [Uint32Array.of(1, 2, 3)] })
    expect([...strange.variations[0]!.numbers]).toEqual([...variations.layout.own])
    const wild = variations.layout.own.slice()
    wild[variations.layout.rows[0]!.at] = 99
    expect([...sheetOf({ parents: [wild] }).variations[0]!.numbers]).toEqual([...variations.layout.own])
  })
})

describe('in the document', () => {
  const call = (id: string, name: string, ...args: string[]) => ({ id, name, args })
  const song = connectorEntry(
    'song-id',
    'song',
    [
      dimension('a', { calls: [call('1', 'add', '5'), call('2', 'keep'), call('3', 'add', '200')] }),
      dimension('b', { calls: [call('4', 'add', '1')], composite: 'part' }),
    ],
    { staticRi: [{ position: 1, startPoint: '60', transformationShift: '0' }] },
  )
  const part = connectorEntry('part-id', 'part', [dimension('c', { calls: [call('5', 'add', '3')] })], {
    staticRi: [{ position: 1, startPoint: '7', transformationShift: '0' }],
  })
  const start = documentOf(
    song,
    part,
    codeEntry('add-id', 'add', BODIES.add[0]),
    codeEntry('keep-id', 'keep', BODIES.keep[0]),
  )

  test('a variation sets starts, shifts, arguments and order, and nothing else', () => {
    const { layout, variations: found } = sheetOf()
    expect(applyVariation(start, 'song-id', layout, layout.own)).toBe(start)
    for (const { numbers } of found.slice(1)) {
      const after = applyVariation(start, 'song-id', layout, numbers)
      expect(after.entries.slice(1)).toEqual(start.entries.slice(1))
      const entry = after.entries[0]!
      if (entry.kind !== 'connector') expect.fail('a connector')
      const row = layout.rows.find(({ connector, dimension: at }) => connector === 'song' && at === 0)!
      const expected = Array.from({ length: 3 }, (_, index) => {
        const [code, ...args] = numbers.slice(row.at + index * row.width, row.at + (index + 1) * row.width)
        const { name, argsCount } = row.codes[code!]!
        return [name, ...args.slice(0, argsCount).map(String)]
      })
      expect(entry.dimensions[0]!.calls.map(({ name, args }) => [name, ...args])).toEqual(expected)
      expect(new Set(entry.dimensions[0]!.calls.map(({ id }) => id))).toEqual(new Set(['1', '2', '3']))
      expect(entry.staticRi.find(({ position }) => position === 1)?.startPoint).toBe(String(numbers[2]))
      expect(changesOf(layout, numbers).length).toBeGreaterThan(0)
    }
  })

  test('a copy has the numbers of a variation, and ids of its own', () => {
    const { layout, variations: found } = sheetOf()
    const { numbers } = found[3]!
    let made = 0
    const copy = variedCopy(start, 'song-id', { layout, numbers, newId: () => `new-${made++}` })!
    const opened = applyVariation(start, 'song-id', layout, numbers).entries[0]!
    if (copy.kind !== 'connector' || opened.kind !== 'connector') expect.fail('connectors')
    expect(copy.staticRi).toEqual(opened.staticRi)
    expect(copy.dimensions.map(({ calls }) => calls.map(({ name, args }) => [name, ...args]))).toEqual(
      opened.dimensions.map(({ calls }) => calls.map(({ name, args }) => [name, ...args])),
    )
    expect(copy.id).toMatch(/^new-/)
    expect(variedCopy(start, 'gone', { layout, numbers, newId: () => 'x' })).toBeUndefined()
  })
})
