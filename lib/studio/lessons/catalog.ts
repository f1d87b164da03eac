/** Lessons, in the order in which it is best learnt. The lessons themselves are loaded when one begins. */
export const LESSONS = [
  {
    id: 'first-connector',
    title: 'Your first piece',
    about: 'From nothing to a piece of your own, with a function of your own.',
    minutes: 5,
  },
  {
    id: 'start-value',
    title: 'Where a voice starts',
    about: 'Its first number, the step it begins with, and what a run may still choose.',
    minutes: 3,
  },
  {
    id: 'publish',
    title: 'Publish',
    about: 'From your browser to the chain, with a wallet made on the spot.',
    minutes: 2,
  },
] as const

export type LessonId = (typeof LESSONS)[number]['id']

/** Lessons of the original network that have another id here: the nearest to each. */
const THEIRS: ReadonlyMap<string, LessonId> = new Map([
  ['first-run', 'first-connector'],
  ['starting-value', 'start-value'],
  ['draft', 'first-connector'],
  ['selection', 'start-value'],
  ['formats', 'start-value'],
  ['conditions', 'first-connector'],
  ['custom-elements', 'first-connector'],
])

/** The lesson that an address names, by its id here or in the original network. */
export function lessonNamed(id: string): LessonId | undefined {
  return isLessonId(id) ? id : THEIRS.get(id)
}

/** Whether this is the id of a lesson. */
export function isLessonId(id: string): id is LessonId {
  return LESSONS.some((lesson) => lesson.id === id)
}

/** Entry of a lesson in lists. */
export function listed(id: LessonId) {
  return LESSONS.find((lesson) => lesson.id === id) as (typeof LESSONS)[number]
}
