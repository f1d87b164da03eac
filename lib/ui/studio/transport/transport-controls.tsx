'use client'

import { Repeat, Volume2 } from 'lucide-react'
import { formatInteger } from '#lib/browser/format.ts'
import type { ArrangedPath } from '#lib/engine/sound/arrangement.ts'
import { withPathSound } from '#lib/engine/sound/settings.ts'
import type { Source } from '#lib/studio/sound/transport.ts'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'
import { Slider } from '#lib/ui/kit/slider.tsx'
import { useSound } from '../common/session.tsx'
import { usePlayhead } from './use-transport.ts'

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
    <IconButton
      label="Loop"
      size="size-10"
      aria-pressed={loop}
      title={loop ? 'Begins again after the last step' : 'Ends after the last step'}
      onClick={() => switchLoop(source, loop)}
      className={className}
    >
      <Repeat className="size-4" aria-hidden="true" />
    </IconButton>
  )
}

/** @param loop Whether it loops now. */
export function switchLoop(source: Pick<Source, 'onSound'>, loop: boolean): void {
  source.onSound('Loop', (sound) => ({ ...sound, loop: !loop }))
}

/** Turns a path on or off; a silent one gets an instrument when it is turned on. */
export function switchPath(source: Source, { key, muted, instrument }: ArrangedPath): void {
  const silent = instrument === 'silent'
  const off = !muted && !silent
  source.onSound(off ? 'Turn voice off' : 'Turn voice on', (sound) =>
    withPathSound(sound, key, { muted: off, ...(silent && { instrument: 'keys' }) }),
  )
}

export function VolumeField({ volume, className = 'flex' }: { volume: number; className?: string }) {
  const { transport } = useSound()
  return (
    <label className={`${className} items-center gap-2`}>
      <span className="sr-only">Volume</span>
      <Volume2 className="size-4 shrink-0 text-ink-soft" aria-hidden="true" />
      <Slider
        onValue={(next) => transport.setVolume(next / 100)}
        min={0}
        max={100}
        value={Math.round(volume * 100)}
        aria-valuetext={`${Math.round(volume * 100)} %`}
        className="w-20"
      />
    </label>
  )
}

/** Where the sound is; drag it or use the arrow keys to go elsewhere. */
export function Position({ steps }: { steps: number }) {
  const { transport } = useSound()
  const { step } = usePlayhead()
  const last = Math.max(0, steps - 1)
  const at = Math.min(step, last)
  return (
    <div className="@container flex min-w-0 flex-1 items-center gap-2">
      <Slider
        aria-label="Position"
        aria-valuetext={`Step ${formatInteger(at)} of ${formatInteger(last)}`}
        min={0}
        max={last}
        value={at}
        onValue={transport.seek}
        className="min-w-8 flex-1"
      />
      <span aria-hidden="true" className="mono min-w-[7ch] whitespace-nowrap text-right text-xs">
        {formatInteger(at)}
        <span className="text-ink-soft">/{formatInteger(steps)}</span>
        <span className="@max-[11rem]:hidden text-ink-soft"> steps</span>
      </span>
    </div>
  )
}
