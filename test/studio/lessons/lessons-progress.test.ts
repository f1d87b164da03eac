import { describe, expect, test } from 'vitest'
import { createProgressStore, type Progress, takeOver } from '#lib/studio/lessons/progress.ts'

const ALICE = `0x${'a'.repeat(40)}`
const BOB = `0x${'b'.repeat(40)}`

const PROGRESS: Progress = {
  step: 2,
  reached: 3,
  finished: false,
  word: 'kelora',
  made: [['__proto__', 'constructor']],
  known: ['toString'],
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
    store.set('publish', PROGRESS)
    store.show('publish')
    const again = createProgressStore(browser, ALICE).getState()
    expect([again.active, again.lessons.get('publish')]).toEqual(['publish', PROGRESS])
    const other = createProgressStore(browser, BOB).getState()
    expect([other.active, other.lessons.size]).toEqual([undefined, 0])
  })

  test('of a visitor moves to the account that signs in, not to the next visitor', () => {
    const browser = memory()
    const visitor = createProgressStore(browser, '')
    visitor.set('start-value', PROGRESS)
    visitor.set('first-connector', PROGRESS)
    visitor.show('first-connector')
    const alice = createProgressStore(browser, ALICE)
    takeOver(visitor, alice)
    expect([alice.getState().active, [...alice.getState().lessons.keys()]]).toEqual([
      'first-connector',
      ['first-connector'],
    ])
    const left = createProgressStore(browser, '').getState()
    expect([left.active, [...left.lessons.keys()]]).toEqual([undefined, ['start-value']])
  })

  test('of an account that is in a lesson is not replaced by a visitor’s', () => {
    const browser = memory()
    const [visitor, alice] = [createProgressStore(browser, ''), createProgressStore(browser, ALICE)]
    visitor.set('publish', PROGRESS)
    visitor.show('publish')
    alice.show('start-value')
    takeOver(visitor, alice)
    expect([alice.getState().active, visitor.getState().active]).toEqual(['start-value', 'publish'])
  })

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['another shape', '{"active":7}'],
    ['no such lesson', '{"active":"__proto__","lessons":[]}'],
    ['a word that is none', JSON.stringify({ lessons: [['publish', { ...PROGRESS, word: '<script>' }]] })],
  ])('that is %s counts as none', (_what, text) => {
    const browser = memory()
    browser.kept.set(`weft-lessons/${ALICE}`, text)
    const { active, lessons } = createProgressStore(browser, ALICE).getState()
    expect([active, lessons.size]).toEqual([undefined, 0])
  })
})
