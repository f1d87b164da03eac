'use client'

import { Check } from 'lucide-react'
import { Button } from '../../button.tsx'
import { LESSONS, type LessonId } from './catalog.ts'
import type { Progress } from './progress.ts'
import { useDesk } from './use-desk.ts'

/** All lessons, each with how far it is and a button that begins it or goes on. */
export function LessonList({ onBegin }: { onBegin?: () => void }) {
  const { store, desk } = useDesk()
  const begin = (id: LessonId) => {
    if (desk.lessons.get(id)?.finished) store.forget(id)
    store.show(id)
    onBegin?.()
  }
  return (
    <ol className="divide-y divide-line border-line border-y">
      {LESSONS.map(({ id, title, about, minutes }) => {
        const progress = desk.lessons.get(id)
        return (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <div className="min-w-0 flex-1 basis-64">
              <p className="flex items-center gap-2 font-medium">
                {title}
                {progress?.finished ? (
                  <span className="inline-flex items-center gap-1 font-normal text-ink-soft text-xs">
                    <Check className="size-4 text-verdigris" aria-hidden="true" />
                    done
                  </span>
                ) : (
                  <span className="font-normal text-ink-soft text-xs">{minutes} minutes</span>
                )}
              </p>
              <p className="text-ink-soft text-sm">{about}</p>
            </div>
            <Button
              aria-label={`${what(progress)}: ${title}`}
              className="min-h-9 px-3 pointer-coarse:min-h-11"
              onClick={() => begin(id)}
            >
              {what(progress)}
            </Button>
          </li>
        )
      })}
    </ol>
  )
}

function what(progress: Progress | undefined): string {
  if (progress === undefined) return 'Begin'
  return progress.finished ? 'Once more' : 'Go on'
}
