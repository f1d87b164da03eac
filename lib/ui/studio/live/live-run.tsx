'use client'

import { useEffect, useRef, useState } from 'react'
import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'
import { PlayButton } from '../transport/play-button.tsx'
import { BAR, knobsShape, type LiveRunProps, stageShape } from './live-layout.ts'

const player = laterPart('The player', () => import('./live-player.tsx').then((loaded) => loaded.LivePlayer))

/** Loads the player this far before it comes into sight. */
const MARGIN = '200px'

/**
 * A connector that plays on any page: its particles are generated in this browser, drawn and heard, with a Play button
 * and a few knobs. Its code is loaded when it comes into sight; until then its place is kept.
 */
export function LiveRun(props: LiveRunProps) {
  const { name, knobs = true, compact = false, children } = props
  const frame = useRef<HTMLElement>(null)
  const [inSight, setInSight] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setInSight(true)
      },
      { rootMargin: MARGIN },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const opening = (
    <>
      <div className={stageShape(props)}>{children}</div>
      {knobs ? <div className={`scripted ${knobsShape(props)}`} /> : null}
      <div className={`scripted ${BAR}`}>
        <PlayButton playing={false} disabled loading title={`Loading ${name}`} />
      </div>
    </>
  )
  return (
    <section ref={frame} aria-label={`${name}, live`} className="min-w-0" data-live={name}>
      {inSight ? <LoadLater part={player} props={{ ...props, knobs, compact }} opening={opening} /> : opening}
    </section>
  )
}
