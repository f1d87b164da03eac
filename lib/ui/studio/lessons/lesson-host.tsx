'use client'

import { useEffect } from 'react'
import { useStudio } from '../common/context.tsx'
import { LoadLater, laterPart } from '../common/load-later.tsx'
import { isLessonId } from './catalog.ts'
import { progressStoreOf, useLessons } from './lesson-list.tsx'
import { takeOver } from './progress.ts'

const GUIDE = laterPart(() => import('./guide.tsx').then((loaded) => loaded.Guide))

/** The active lesson. `?lesson=` in the URL starts one. */
export function LessonHost() {
  const { announce } = useStudio()
  const { owner, store, lessonsState } = useLessons()

  useEffect(() => {
    if (owner !== '') takeOver(progressStoreOf(''), store)
    const wanted = new URLSearchParams(location.search).get('lesson')
    if (wanted === null) return
    if (isLessonId(wanted)) store.show(wanted)
    else announce('There is no such lesson. The button Lessons lists them all.')
  }, [owner, store, announce])

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
