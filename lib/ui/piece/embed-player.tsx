'use client'

import { useEffect, useRef } from 'react'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'
import { StillPlots } from '#lib/ui/plots/svg.tsx'
import { pageSound } from '#lib/ui/studio/common/page.ts'
import type { LiveState } from '#lib/ui/studio/live/live-layout.ts'
import { LiveRun } from '#lib/ui/studio/live/live-run.tsx'
import type { Stream } from '#lib/views/run.ts'

/** Version of the messages between a player and the page that frames it; `docs/site/embed.md` describes them. */
const VERSION = 1

/**
 * A player that fills a frame on another site. It answers only the page that frames it; a message can start
 * and stop it and ask for its state, which holds nothing that is not in sight.
 */
export function EmbedPlayer({
  name,
  starts,
  steps,
  present,
  streams,
}: {
  name: string
  /** Starts of a run; without them the connector plays as it is, with its knobs. */
  starts?: readonly PositionedRunningInstance[] | undefined
  steps?: number | undefined
  /** Presentation by its author. */
  present?: Presentation | undefined
  /** Drawn until it can play. */
  streams: readonly Stream[]
}) {
  const state = useRef<LiveState>({ ready: false, playing: false, step: 0, steps: 0 })
  useEffect(() => {
    const receive = ({ source, data }: MessageEvent<unknown>) => {
      if (source !== window.parent || source === window || !isMessage(data)) return
      const { transport } = pageSound()
      if (data.type === 'play' && state.current.ready) transport.play()
      if (data.type === 'stop') transport.stop()
      if (data.type === 'state') report(name, state.current)
    }
    window.addEventListener('message', receive)
    return () => window.removeEventListener('message', receive)
  }, [name])
  return (
    <LiveRun
      name={name}
      knobs={starts === undefined}
      present={present}
      {...(starts && { starts })}
      {...(steps !== undefined && { steps })}
      delivered={streams}
      shape="h-[max(8rem,calc(100dvh-12.5rem))]"
      onState={(next) => {
        state.current = next
        report(name, next)
      }}
      onKeep={(href) => window.open(href, '_blank', 'noopener')}
    >
      <StillPlots streams={streams} />
    </LiveRun>
  )
}

function report(name: string, state: LiveState): void {
  if (window.parent !== window)
    window.parent.postMessage({ weft: VERSION, type: 'state', name, ...state }, '*')
}

function isMessage(data: unknown): data is { readonly type: unknown } {
  return (
    typeof data === 'object' && data !== null && 'weft' in data && data.weft === VERSION && 'type' in data
  )
}
