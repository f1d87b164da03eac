import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { placeCard } from '../../lib/ui/studio/lessons/place-card.ts'
import { createProgressStore, type Progress, takeOver } from '../../lib/ui/studio/lessons/progress.ts'

const ALICE = `0x${'a'.repeat(40)}`
const BOB = `0x${'b'.repeat(40)}`

const PROGRESS: Progress = {
  step: 2,
  reached: 3,
  finished: false,
  word: 'kelora',
  made: [['__proto__', 'constructor']],
  known: ['toString'],
  visit: 'v',
}

function memory() {
  const kept = new Map<string, string>()
  return {
    kept,
    read: (key: string) => kept.get(key),
    write: (key: string, value: string | undefined) =>
      void (value === undefined ? kept.delete(key) : kept.set(key, value)),
  }
}

describe('progress', () => {
  test('is there on the next visit, for its owner only', () => {
    const browser = memory()
    const store = createProgressStore(browser, ALICE)
    store.set('draft', PROGRESS)
    store.show('draft')
    const again = createProgressStore(browser, ALICE).getState()
    expect([again.active, again.lessons.get('draft')]).toEqual(['draft', PROGRESS])
    const other = createProgressStore(browser, BOB).getState()
    expect([other.active, other.lessons.size]).toEqual([undefined, 0])
  })

  test('of a visitor moves to the account that signs in, not to the next visitor', () => {
    const browser = memory()
    const visitor = createProgressStore(browser, '')
    visitor.set('formats', PROGRESS)
    visitor.set('first-connector', PROGRESS)
    visitor.show('first-connector')
    const alice = createProgressStore(browser, ALICE)
    takeOver(visitor, alice)
    expect([alice.getState().active, [...alice.getState().lessons.keys()]]).toEqual([
      'first-connector',
      ['first-connector'],
    ])
    const left = createProgressStore(browser, '').getState()
    expect([left.active, [...left.lessons.keys()]]).toEqual([undefined, ['formats']])
  })

  test('of an account that is in a lesson is not replaced by a visitor’s', () => {
    const browser = memory()
    const [visitor, alice] = [createProgressStore(browser, ''), createProgressStore(browser, ALICE)]
    visitor.set('draft', PROGRESS)
    visitor.show('draft')
    alice.show('selection')
    takeOver(visitor, alice)
    expect([alice.getState().active, visitor.getState().active]).toEqual(['selection', 'draft'])
  })

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['another shape', '{"active":7}'],
    ['no such lesson', '{"active":"__proto__","lessons":[]}'],
    ['a word that is none', JSON.stringify({ lessons: [['draft', { ...PROGRESS, word: '<script>' }]] })],
  ])('that is %s counts as none', (_what, text) => {
    const browser = memory()
    browser.kept.set(`weft-lessons/${ALICE}`, text)
    const { active, lessons } = createProgressStore(browser, ALICE).getState()
    expect([active, lessons.size]).toEqual([undefined, 0])
  })
})

describe('the card', () => {
  const WINDOW = { width: 1440, height: 900 }
  const CARD = { width: 352, height: 400 }
  const overlap = (a: ReturnType<typeof placeCard>, b: typeof BUTTON) =>
    a.left < b.left + b.width &&
    b.left < a.left + CARD.width &&
    a.top < b.top + b.height &&
    b.top < a.top + CARD.height
  const BUTTON = { left: 300, top: 200, width: 40, height: 40 }

  test('is beside its control, and elsewhere when that would hide what is watched', () => {
    expect(placeCard(CARD, WINDOW, BUTTON, undefined, undefined)).toEqual({ left: 356, top: 200 })
    const watched = { left: 500, top: 100, width: 900, height: 300 }
    expect(placeCard(CARD, WINDOW, BUTTON, undefined, watched)).toEqual({ left: 12, top: 256 })
  })

  test('is inside the window, and over neither the control nor the focus', () => {
    const box = fc.record({
      left: fc.integer({ min: -200, max: 1500 }),
      top: fc.integer({ min: -200, max: 1000 }),
      width: fc.integer({ min: 1, max: 300 }),
      height: fc.integer({ min: 1, max: 60 }),
    })
    fc.assert(
      fc.property(box, box, fc.option(box, { nil: undefined }), (target, focused, watched) => {
        const at = placeCard(CARD, WINDOW, target, focused, watched)
        expect(at.left).toBeGreaterThanOrEqual(12)
        expect(at.top).toBeGreaterThanOrEqual(12)
        expect(at.left + CARD.width).toBeLessThanOrEqual(WINDOW.width - 12)
        expect(at.top + CARD.height).toBeLessThanOrEqual(WINDOW.height - 12)
        // Two small boxes cannot block all four corners of this window.
        expect(overlap(at, target)).toBe(false)
        expect(overlap(at, focused)).toBe(false)
      }),
    )
  })

  test('stays in the window where it has no room', () => {
    expect(
      placeCard({ width: 352, height: 900 }, { width: 360, height: 400 }, BUTTON, BUTTON, BUTTON),
    ).toEqual({
      left: 12,
      top: 12,
    })
  })
})
