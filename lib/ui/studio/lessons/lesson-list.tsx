'use client'

import { Check } from 'lucide-react'
import { useEffect } from 'react'
import { LESSONS, type LessonId, lessonNamed } from '#lib/studio/lessons/catalog.ts'
import {
  type LessonsState,
  type Progress,
  type ProgressStore,
  takeOver,
} from '#lib/studio/lessons/progress.ts'
import { useValue } from '#lib/ui/components/value.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'
import { useSession } from '#lib/ui/wallet/session/use-session.ts'
import { useCurrentSession } from '../common/session.tsx'

/** All lessons with their progress and a button to begin or continue. */
export function LessonList({ onBegin }: { onBegin?: () => void }) {
  const { store, lessonsState } = useLessons()
  const begin = (id: LessonId) => {
    if (lessonsState.lessons.get(id)?.finished) store.forget(id)
    store.show(id)
    onBegin?.()
  }
  return (
    <ol className="divide-y divide-line border-line border-y">
      {LESSONS.map(({ id, title, about, minutes }) => {
        const progress = lessonsState.lessons.get(id)
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
            <Button aria-label={`${what(progress)}: ${title}`} size="small" onClick={() => begin(id)}>
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

/** The lessons of the session's account, or of the visitor. */
function useLessons(): {
  readonly owner: string
  readonly store: ProgressStore
  readonly lessonsState: LessonsState
} {
  const session = useSession()
  const owner = session.status === 'signed_in' ? session.session.address.toLowerCase() : ''
  const store = useCurrentSession().lessons(owner)
  return { owner, store, lessonsState: useValue(store) }
}

/** Whether a lesson is open, or the address opens one. */
export function useInLesson(): boolean {
  const { active } = useLessons().lessonsState
  return active !== undefined || new URLSearchParams(location.search).has('lesson')
}

const GUIDE = laterPart('The lesson', () => import('./guide.tsx').then((loaded) => loaded.Guide))

/** The active lesson. `?lesson=` in the URL starts one. */
export function LessonHost() {
  const { announce, lessons } = useCurrentSession()
  const { owner, store, lessonsState } = useLessons()

  useEffect(() => {
    if (owner !== '') takeOver(lessons(''), store)
    const lessonName = new URLSearchParams(location.search).get('lesson')
    if (lessonName === null) return
    const id = lessonNamed(lessonName)
    if (id !== undefined) store.show(id)
    else announce('There is no such lesson. The button Lessons lists them all.')
  }, [owner, store, lessons, announce])

  const { active } = lessonsState
  if (active === undefined) return null
  const onLeave = () => {
    store.show(undefined)
    forgetAddress()
  }
  return (
    <LoadLater
      key={`${owner} ${active}`}
      part={GUIDE}
      props={{ id: active, lessonsState: store, onLeave }}
      opening="Opening the lesson…"
    />
  )
}

/** A closed lesson does not reopen on reload. */
function forgetAddress(): void {
  const url = new URL(location.href)
  if (!url.searchParams.has('lesson')) return
  url.searchParams.delete('lesson')
  history.replaceState(history.state, '', url)
}
