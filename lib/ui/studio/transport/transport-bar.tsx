'use client'

import { Play, Square } from 'lucide-react'
import { type CSSProperties, useEffect } from 'react'
import { formatInteger } from '../../components/format.ts'
import { threadColor } from '../../components/thread-colors.ts'
import type { ArrangedPath } from './arrangement.ts'
import { SoundMenu } from './sound-menu.tsx'
import { TempoField } from './tempo-field.tsx'
import { type Source, transport, usePlayhead, useTransport } from './transport.ts'
import { LoopButton, switchPath, VolumeField } from './transport-controls.tsx'

/** Paths with a switch of their own in the bar; the others are in the menu beside it. */
const SWITCHES = 6

/** The bar at the bottom of the studio: it starts, stops and shapes what sounds, whatever else is open. */
export function TransportBar() {
  const { playing, source, arrangement, volume, problem } = useTransport()
  useSpaceBar()
  // Another workspace, or another page, has nothing to do with what plays.
  useEffect(() => transport.reset, [])
  const ready = source !== undefined && arrangement !== undefined
  return (
    <section
      aria-label="Transport"
      className="flex h-14 w-full min-w-0 items-center gap-2 border-line border-t bg-raised px-2 text-sm sm:px-3"
    >
      <button
        type="button"
        disabled={!ready}
        title={
          ready ? (playing ? 'Stop (space bar)' : `Play ${source.name} (space bar)`) : 'Nothing has run yet'
        }
        onClick={transport.toggle}
        className="inline-flex h-10 min-w-24 shrink-0 cursor-pointer items-center justify-center gap-2 rounded-md bg-ink px-4 font-medium text-ground transition-colors hover:bg-accent hover:text-on-accent disabled:cursor-default disabled:opacity-50 pointer-coarse:h-11"
      >
        {playing ? (
          <Square className="size-4 fill-current" aria-hidden="true" />
        ) : (
          <Play className="size-4 fill-current" aria-hidden="true" />
        )}
        {playing ? 'Stop' : 'Play'}
      </button>
      {ready ? (
        <>
          <LoopButton className="hidden md:grid" source={source} loop={arrangement.loop} />
          <TempoField className="hidden md:flex" source={source} bpm={arrangement.bpm} />
          <Position steps={arrangement.steps} />
          <div className="hidden min-w-0 items-center gap-1 lg:flex">
            {arrangement.paths.slice(0, SWITCHES).map((path, index) => (
              <PathSwitch key={path.key} path={path} index={index} source={source} />
            ))}
          </div>
          <SoundMenu source={source} arrangement={arrangement} volume={volume} />
          <VolumeField className="hidden lg:flex" volume={volume} />
        </>
      ) : (
        <p className="truncate text-ink-soft">Nothing to play yet.</p>
      )}
      <p role="alert" className={problem === '' ? 'sr-only' : 'max-w-80 text-xs'}>
        {problem}
      </p>
    </section>
  )
}

/** Where the sound is; drag it or use the arrow keys to go elsewhere. */
function Position({ steps }: { steps: number }) {
  const { step } = usePlayhead()
  const last = Math.max(0, steps - 1)
  const at = Math.min(step, last)
  const fill = { '--fill': `${(at / Math.max(1, last)) * 100}%` } as CSSProperties
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2">
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`Step ${formatInteger(at)} of ${formatInteger(last)}`}
        min={0}
        max={last}
        value={at}
        onChange={(event) => transport.seek(event.currentTarget.valueAsNumber)}
        className="shuttle min-w-8 flex-1 pointer-coarse:h-11"
        style={fill}
      />
      <span aria-hidden="true" className="mono min-w-[7ch] whitespace-nowrap text-right text-xs">
        {formatInteger(at)}
        <span className="text-ink-soft">/{formatInteger(steps)}</span>
      </span>
    </div>
  )
}

function PathSwitch({ path, index, source }: { path: ArrangedPath; index: number; source: Source }) {
  const on = !path.muted && path.instrument !== 'silent'
  return (
    <button
      type="button"
      aria-pressed={on}
      aria-label={`Path ${path.key}`}
      title={`${path.path}: ${path.instrument}${on ? '' : ', off'}`}
      onClick={() => switchPath(source, path)}
      className="group flex h-9 min-w-9 cursor-pointer items-center justify-center gap-1.5 rounded-md border border-line px-2 text-ink-soft text-xs transition-colors hover:border-accent aria-pressed:text-ink pointer-coarse:h-11 pointer-coarse:min-w-11"
    >
      <span
        aria-hidden="true"
        className="size-2.5 rounded-full border-2 group-aria-pressed:bg-(--dot)"
        style={{ '--dot': threadColor(index), borderColor: threadColor(index) } as CSSProperties}
      />
      <span className="mono">{path.key}</span>
    </button>
  )
}

const USES_SPACE =
  'input, textarea, select, button, a, summary, [contenteditable], [role=button], [role=menuitem], [role=option], [role=dialog]'

/** The space bar is Play and Stop, except where a page uses it for something else. */
function useSpaceBar(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== ' ' || event.defaultPrevented || event.repeat) return
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      if (event.target instanceof Element && event.target.closest(USES_SPACE)) return
      if (transport.getState().source === undefined) return
      event.preventDefault()
      transport.toggle()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
