'use client'

import { lazy, Suspense, useEffect } from 'react'
import { useStudio } from '../context.tsx'
import { isLessonId } from './catalog.ts'
import { takeOver } from './progress.ts'
import { deskOf, useDesk } from './use-desk.ts'

// Only who learns needs the lessons.
const Guide = lazy(() => import('./guide.tsx').then((loaded) => ({ default: loaded.Guide })))

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
  return (
    <Suspense>
      <Guide
        key={`${owner} ${active}`}
        id={active}
        desk={store}
        onLeave={() => {
          store.show(undefined)
          forgetAddress()
        }}
      />
    </Suspense>
  )
}

/** A lesson that was left should not come back with the page. */
function forgetAddress(): void {
  const url = new URL(location.href)
  if (!url.searchParams.has('lesson')) return
  url.searchParams.delete('lesson')
  history.replaceState(history.state, '', url)
}
