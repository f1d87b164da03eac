'use client'

import { useEffect } from 'react'
import { useStudio } from '../context.tsx'
import { LoadLater, laterPart } from '../load-later.tsx'
import { isLessonId } from './catalog.ts'
import { takeOver } from './progress.ts'
import { deskOf, useDesk } from './use-desk.ts'

// Only who learns needs the lessons.
const GUIDE = laterPart(() => import('./guide.tsx').then((loaded) => loaded.Guide))

/** The lesson at hand, beside the studio it happens in. `?lesson=` of the address begins one. */
export function LessonHost() {
  const { say } = useStudio()
  const { owner, store, desk } = useDesk()

  useEffect(() => {
    if (owner !== '') takeOver(deskOf(''), store)
    const wanted = new URLSearchParams(location.search).get('lesson')
    if (wanted === null) return
    if (isLessonId(wanted)) store.show(wanted)
    else say('There is no such lesson. The button Lessons lists them all.')
  }, [owner, store, say])

  const { active } = desk
  if (active === undefined) return null
  const onLeave = () => {
    store.show(undefined)
    forgetAddress()
  }
  return (
    <LoadLater
      key={`${owner} ${active}`}
      part={GUIDE}
      props={{ id: active, desk: store, onLeave }}
      opening="Opening the lesson…"
    />
  )
}

/** A lesson that was left should not come back with the page. */
function forgetAddress(): void {
  const url = new URL(location.href)
  if (!url.searchParams.has('lesson')) return
  url.searchParams.delete('lesson')
  history.replaceState(history.state, '', url)
}
