'use client'

import { Button } from '../../button.tsx'
import { entityHref } from '../../entity-href.ts'
import { textLink } from '../../link-style.ts'
import type { LESSONS, LessonId } from './catalog.ts'
import type { Lesson } from './lesson.ts'
import { Text } from './text.tsx'

/** What to take away, what becomes of what was made, and what to learn next. */
export function Ending({
  lesson,
  connector,
  next,
  onNext,
  onKeep,
  onRemove,
}: {
  lesson: Lesson
  /** The connector that was published; undefined when none was. */
  connector: string | undefined
  next: (typeof LESSONS)[number] | undefined
  onNext: (id: LessonId) => void
  onKeep: () => void
  onRemove: () => void
}) {
  return (
    <>
      <div className="space-y-2 text-sm">
        {lesson.ending.map((paragraph) => (
          <Text key={paragraph}>{paragraph}</Text>
        ))}
        {connector === undefined ? null : (
          <p>
            It has a page that you can give to anybody:{' '}
            <a className={`${textLink} mono text-xs`} href={entityHref('connector', connector)}>
              {connector}
            </a>
          </p>
        )}
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        {next === undefined ? null : (
          <Button
            look="primary"
            className="min-h-9 px-3 pointer-coarse:min-h-11"
            onClick={() => onNext(next.id)}
          >
            Next: {next.title}
          </Button>
        )}
        <Button className="min-h-9 px-3 pointer-coarse:min-h-11" onClick={onKeep}>
          Keep what I made
        </Button>
        <Button className="min-h-9 px-3 pointer-coarse:min-h-11" onClick={onRemove}>
          Remove it from my work
        </Button>
      </div>
    </>
  )
}
