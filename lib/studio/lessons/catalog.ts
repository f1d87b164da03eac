/** What there is to learn, in the order in which it is best learnt. The lessons themselves are loaded when one begins. */
export const LESSONS = [
  {
    id: 'first-connector',
    title: 'Your first connector',
    about: 'From nothing to a connector that is published on the chain, with a wallet made on the spot.',
    minutes: 6,
  },
  {
    id: 'start-value',
    title: 'Where a stream starts',
    about: 'Start values, shifts, and what a run may still choose.',
    minutes: 3,
  },
  {
    id: 'draft',
    title: 'Drafts',
    about: 'Mend a mistake, try something on a copy, rename, take back, and lose nothing.',
    minutes: 4,
  },
  {
    id: 'selection',
    title: 'Choosing from another connector',
    about: 'Let the numbers of one connector choose among those of another.',
    minutes: 4,
  },
  {
    id: 'formats',
    title: 'Formats',
    about: 'What makes two connectors interchangeable, and what Worlds look for.',
    minutes: 3,
  },
  {
    id: 'condition',
    title: 'Conditions',
    about: 'A small function that decides whether a connector may run at all.',
    minutes: 3,
  },
] as const

export type LessonId = (typeof LESSONS)[number]['id']

/** Lessons of the original network that have another id there. */
const THEIRS: ReadonlyMap<string, LessonId> = new Map([
  ['first-run', 'first-connector'],
  ['starting-value', 'start-value'],
  ['publish', 'first-connector'],
  ['conditions', 'condition'],
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

/** How a lesson is listed. */
export function listed(id: LessonId) {
  return LESSONS.find((lesson) => lesson.id === id) as (typeof LESSONS)[number]
}
