import type { LessonId } from '../catalog.ts'
import type { Lesson } from '../lesson.ts'
import { condition } from './condition.ts'
import { draft } from './draft.ts'
import { firstConnector } from './first-connector.ts'
import { formats } from './formats.ts'
import { selection } from './selection.ts'
import { startValue } from './start-value.ts'

/** The lessons, by their ids. */
export const LESSON_OF: Readonly<Record<LessonId, Lesson>> = {
  'first-connector': firstConnector,
  'start-value': startValue,
  draft,
  selection,
  formats,
  condition,
}
