import type { LessonId } from '../catalog.ts'
import type { Lesson } from '../lesson.ts'
import { firstConnector } from './first-connector.ts'
import { publish } from './publish.ts'
import { startValue } from './start-value.ts'

/** The lessons, by their ids. */
export const LESSON_OF: Readonly<Record<LessonId, Lesson>> = {
  'first-connector': firstConnector,
  'start-value': startValue,
  publish,
}
