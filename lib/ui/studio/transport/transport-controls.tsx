'use client'

import { Repeat, Volume2 } from 'lucide-react'
import type { CSSProperties } from 'react'
import { withPathSound } from '../document/sound.ts'
import type { ArrangedPath } from './arrangement.ts'
import { type Source, transport } from './transport.ts'

/* Controls that are in the bar where there is room, else in its menu. */

export function LoopButton({
  source,
  loop,
  className = 'grid',
}: {
  source: Source
  loop: boolean
  className?: string
}) {
  return (
    <button
      type="button"
      aria-pressed={loop}
      aria-label="Loop"
      title={loop ? 'Begins again after the last step' : 'Ends after the last step'}
      onClick={() => source.onSound('Loop', (sound) => ({ ...sound, loop: !loop }))}
      className={`${className} size-10 shrink-0 cursor-pointer place-items-center rounded-md border border-transparent text-ink-soft transition-colors hover:bg-sunk aria-pressed:border-edge aria-pressed:text-ink pointer-coarse:size-11`}
    >
      <Repeat className="size-4" aria-hidden="true" />
    </button>
  )
}

/** Turns a path on or off; a silent one gets an instrument when it is turned on. */
export function switchPath(source: Source, { key, muted, instrument }: ArrangedPath): void {
  const silent = instrument === 'silent'
  const off = !muted && !silent
  source.onSound(off ? 'Turn path off' : 'Turn path on', (sound) =>
    withPathSound(sound, key, { muted: off, ...(silent && { instrument: 'keys' }) }),
  )
}

export function VolumeField({ volume, className = 'flex' }: { volume: number; className?: string }) {
  return (
    <label className={`${className} items-center gap-2`}>
      <span className="sr-only">Volume</span>
      <Volume2 className="size-4 shrink-0 text-ink-soft" aria-hidden="true" />
      <input
        type="range"
        min={0}
        max={100}
        value={Math.round(volume * 100)}
        aria-valuetext={`${Math.round(volume * 100)} %`}
        onChange={(event) => transport.setVolume(event.currentTarget.valueAsNumber / 100)}
        className="shuttle w-20 pointer-coarse:h-11"
        style={{ '--fill': `${volume * 100}%` } as CSSProperties}
      />
    </label>
  )
}
