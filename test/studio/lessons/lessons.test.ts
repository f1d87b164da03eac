import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PreviewAnswer, TryAnswer } from '#lib/server/operations/studio/preview-schemas.ts'
import type { Library } from '#lib/studio/document/parts.ts'
import { problems } from '#lib/studio/document/problems.ts'
import { EMPTY_DOCUMENT, type StudioDocument } from '#lib/studio/document/types.ts'
import { LESSONS } from '#lib/studio/lessons/catalog.ts'
import { LESSON_OF } from '#lib/studio/lessons/content/index.ts'
import type { Lesson, Snapshot, Step } from '#lib/studio/lessons/lesson.ts'
import type { Progress } from '#lib/studio/lessons/progress.ts'
import {
  adoptable,
  beginRound,
  missingRoles,
  namingOf,
  newWord,
  piecesOf,
  snapshotOf,
  stepDone,
} from '#lib/studio/lessons/round.ts'
import { type Evidence, isReadyToRun, judge } from '#lib/studio/lessons/verdict.ts'
import { questionOf } from '#lib/ui/studio/lessons/use-evidence.ts'
import { startApi, type TestApi } from '#test/support/api.ts'

/*
 * Every lesson from start to end with the real compiler and the real runs: the result that a step expects is not there
 * before, and its solution produces exactly that.
 */

const NOTHING: Library = { find: () => 'absent' }
const BEGUN = { word: 'kelora' }

let api: TestApi

beforeAll(async () => {
  api = await startApi('studio')
})
afterAll(() => api?.close())

function snapshot(document: StudioDocument, { made, word }: Progress): Snapshot {
  return snapshotOf(piecesOf(document, new Map(made), word), problems(document, NOTHING))
}

const NOTHING_KNOWN: Evidence = {
  particles: undefined,
  tries: undefined,
  trouble: undefined,
  signedIn: false,
  published: false,
  heard: false,
}

/** As on the page, with real requests to the server. */
async function evidence(step: Step, seen: Snapshot): Promise<Evidence> {
  const question = isReadyToRun(step, seen) ? questionOf(step, seen) : undefined
  if (typeof question === 'string') return { ...NOTHING_KNOWN, trouble: question }
  if (question?.ask === 'run') {
    const { json } = await api.post('/preview', question.body)
    return { ...NOTHING_KNOWN, particles: (json as unknown as PreviewAnswer).result }
  }
  if (question?.ask === 'try') {
    const answers = await Promise.all(question.bodies.map((body) => api.post('/try', body)))
    return { ...NOTHING_KNOWN, tries: answers.map(({ json }) => json as unknown as TryAnswer) }
  }
  return NOTHING_KNOWN
}

/** Plays the role an entry was made for, as the page notes it. */
function adopted(step: Step, document: StudioDocument, progress: Progress): Progress {
  const entry = adoptable(step, document, progress)
  if (step.adopts === undefined || entry === undefined) return progress
  return { ...progress, made: [...progress.made, [step.adopts.role, entry.id]] }
}

function stepsOf(lesson: Lesson, document: StudioDocument, { made, word }: Progress): readonly Step[] {
  return lesson.steps(piecesOf(document, new Map(made), word).name, namingOf(word))
}

describe.each(LESSONS)('the lesson “$title”', ({ id }) => {
  const lesson = LESSON_OF[id]

  test('requires what is missing, and can do each step itself', async () => {
    let { document, progress } = beginRound(lesson, EMPTY_DOCUMENT, BEGUN)
    const count = stepsOf(lesson, document, progress).length
    for (let index = 0; index < count; index++) {
      const step = stepsOf(lesson, document, progress)[index]!
      const before = snapshot(document, progress)
      const early = judge(step, before, await evidence(step, before))
      expect(early.done, `${step.title} before`).toBe(false)
      expect(early.sentence).toMatch(/[.…]$/)

      document = stepDone(step, document, progress)
      progress = adopted(step, document, progress)
      const now = stepsOf(lesson, document, progress)[index]!
      const after = snapshot(document, progress)
      const found = {
        ...(await evidence(now, after)),
        signedIn: true,
        published: true,
        heard: true,
      }
      expect(judge(now, after, found), `${now.title} after`).toMatchObject({ done: true, sentence: 'Done.' })
    }
    const wrong = problems(document, NOTHING).filter(({ severity }) => severity === 'error')
    expect(wrong).toEqual([])
  })

  test('leaves other entries unchanged', () => {
    const other = beginRound(lesson, EMPTY_DOCUMENT, BEGUN).document
    const count = stepsOf(lesson, other, beginRound(lesson, other, BEGUN).progress).length
    // The same word on purpose: even then nothing gets a name that is taken.
    const { document, progress } = beginRound(lesson, other, { ...BEGUN, upTo: count })
    expect(document.entries.slice(0, other.entries.length)).toEqual(other.entries)
    expect(missingRoles(document, new Map(progress.made))).toEqual([])
    const names = document.entries.map(({ kind, name }) => `${kind}/${name}`)
    expect(new Set(names).size).toBe(names.length)
  })

  test('can be set up again at any step', async () => {
    const count = stepsOf(lesson, EMPTY_DOCUMENT, beginRound(lesson, EMPTY_DOCUMENT, BEGUN).progress).length
    for (let upTo = 1; upTo < count; upTo++) {
      const { document, progress } = beginRound(lesson, EMPTY_DOCUMENT, { ...BEGUN, upTo })
      const { expects: _runs, ...last } = stepsOf(lesson, document, progress)[upTo - 1]!
      const seen = snapshot(document, progress)
      const { done, sentence } = judge(last, seen, {
        ...NOTHING_KNOWN,
        signedIn: true,
        published: true,
        heard: true,
      })
      expect([last.title, done, sentence]).toEqual([last.title, true, 'Done.'])
    }
  })
})

describe('a step', () => {
  const { document, progress } = beginRound(LESSON_OF['first-connector'], EMPTY_DOCUMENT, {
    ...BEGUN,
    upTo: 7,
  })
  const [step] = stepsOf(LESSON_OF['first-connector'], document, progress).slice(7)

  test('is not done by partly right values, and shows the wrong ones', () => {
    const done = stepDone(step!, document, progress)
    const judged = (values: readonly number[]) =>
      judge(step!, snapshot(done, progress), {
        ...NOTHING_KNOWN,
        particles: { outcome: 'particles', particles: [{ path: '/melody_kelora:0', data: [...values] }] },
      })
    expect(judged([0, 7, 2, 9, 4, 11, 6, 1]).done).toBe(true)
    const wrong = judged([0, 7, 2, 9, 4, 11, 6, 2])
    expect(wrong).toMatchObject({ done: false, sentence: 'It runs, but other numbers come out.' })
    expect(wrong.comparisons).toEqual([
      {
        label: '/melody_kelora:0',
        expected: [0, 7, 2, 9, 4, 11, 6, 1],
        actual: [0, 7, 2, 9, 4, 11, 6, 2],
      },
    ])
  })

  test('is not run while a number of it is unfinished', () => {
    const text = JSON.stringify(stepDone(step!, document, progress)).replace('"args":["7"]', '"args":["7x"]')
    const seen = snapshot(JSON.parse(text) as StudioDocument, progress)
    expect(judge(step!, seen, NOTHING_KNOWN).sentence).toContain('wanted is climb_kelora(7)')
    expect(questionOf(step!, seen)).toBe('A number is not finished yet.')
  })

  test('finds what was made for it, not what was there before or plays another role', () => {
    const [, first] = stepsOf(LESSON_OF['first-connector'], EMPTY_DOCUMENT, progress)
    const fresh = beginRound(LESSON_OF['first-connector'], document, BEGUN)
    expect(adoptable(first!, fresh.document, fresh.progress)).toBeUndefined()
    const made = stepDone(first!, fresh.document, fresh.progress)
    const entry = adoptable(first!, made, fresh.progress)
    expect(entry?.name).toBe('my_piece')
    const played = { ...fresh.progress, made: [['melody', entry!.id]] as const }
    expect(adoptable(first!, stepDone(first!, made, played), played)).toBeUndefined()
  })
})

test('a word is fit for names and differs each time', () => {
  const words = Array.from({ length: 200 }, () => newWord())
  for (const word of words) expect(word).toMatch(/^([bdfgklmnprstv][aeiou]){4}$/)
  expect(new Set(words).size).toBeGreaterThan(195)
})
