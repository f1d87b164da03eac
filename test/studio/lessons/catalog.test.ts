import { expect, test } from 'vitest'
import { LESSONS, lessonNamed } from '#lib/studio/lessons/catalog.ts'

test('every lesson is found by its id', () => {
  for (const { id } of LESSONS) expect(lessonNamed(id)).toBe(id)
})

test.each([
  'first-run',
  'starting-value',
  'draft',
  'selection',
  'formats',
  'publish',
  'conditions',
  'custom-elements',
])('the lesson %s of the original network leads to one of ours', (id) => {
  expect(LESSONS.map((lesson) => lesson.id)).toContain(lessonNamed(id))
})

test.each(['', 'first', 'FIRST-RUN', '__proto__', 'constructor', 'toString'])('%j is none', (id) => {
  expect(lessonNamed(id)).toBeUndefined()
})
