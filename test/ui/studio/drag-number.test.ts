import { describe, expect, it } from 'vitest'
import { choicesFor } from '#lib/studio/library/choices.ts'
import { dragged, stepped, unitsPerPixel, weighted } from '#lib/ui/studio/common/drag-number.ts'
import { codeEntry } from '../../studio/document/entries.ts'

const free = { min: 0, max: 4_294_967_295, isKnob: false }

describe('a dragged number', () => {
  it('goes up by one every four pixels while it is small, and by its own size on 400 when it is large', () => {
    expect([0, 3, 4, 40, -40].map((pixels) => dragged({ ...free, value: 12 }, pixels))).toEqual([
      12, 13, 13, 22, 2,
    ])
    expect(dragged({ ...free, value: 1_000_000 }, 400)).toBe(2_000_000)
  })

  it('stays within what is possible', () => {
    expect(dragged({ ...free, value: 3 }, -4000)).toBe(0)
    expect(dragged({ ...free, value: free.max - 1 }, 400)).toBe(free.max)
  })

  it('goes through the range of a knob on 240 pixels, without a pixel for every value of a small one', () => {
    expect(dragged({ value: 0, min: 0, max: 2400, isKnob: true }, 240)).toBe(2400)
    expect(unitsPerPixel({ value: 0, min: 0, max: 1, isKnob: true })).toBeCloseTo(1 / 12)
  })

  it('is coarser with Shift and finer with Alt', () => {
    const keys = { shiftKey: false, altKey: false }
    expect([
      weighted(8, keys),
      weighted(8, { ...keys, shiftKey: true }),
      weighted(8, { ...keys, altKey: true }),
    ]).toEqual([8, 80, 0.8])
  })

  it('is stepped by arrows and page keys, and by nothing else', () => {
    const range = { min: 0, max: 20 }
    expect(stepped(5, 'ArrowUp', false, range)).toBe(6)
    expect(stepped(5, 'ArrowUp', true, range)).toBe(15)
    expect(stepped(5, 'PageDown', false, range)).toBe(0)
    expect(stepped(15, 'PageUp', false, range)).toBe(20)
    expect(stepped(5, 'ArrowRight', false, range)).toBeUndefined()
    expect(stepped(5, 'toString', false, range)).toBeUndefined()
  })
})

describe('choices for a text', () => {
  const own = codeEntry('w', 'wander', '// Goes for a random walk.\nreturn x;')
  const found = (text: string) =>
    choicesFor(text, [own], ['wobble', 'add']).map(({ from, name }) => `${from} ${name}`)

  it('begin with what is meant, by its name or by what it does', () => {
    expect(found('add')[0]).toBe('phrase book add')
    expect(found('wrap')[0]).toBe('phrase book cycle')
    expect(found('bounce')[0]).toBe('phrase book bounce_between')
    expect(found('random walk').slice(0, 2).sort()).toEqual(['own wander', 'phrase book random_walk'])
    expect(found('scale to octave')[0]).toBe('phrase book to_octave')
    expect(found('quantise')).toContain('phrase book round_to')
  })

  it('list everything for no text, each name once, what is one’s own first', () => {
    const all = found('')
    expect(all[0]).toBe('own wander')
    expect(all).toHaveLength(26)
    expect(all.at(-1)).toBe('published wobble')
  })

  it('end with a new one where the text is a name that is free', () => {
    expect(found('my_step')).toEqual(['new my_step'])
    expect(found('wander')).toEqual(['own wander', 'phrase book random_walk'])
    expect(found('no such thing')).toEqual([])
    expect(found('uint8')).toEqual([])
  })
})
