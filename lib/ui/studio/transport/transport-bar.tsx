'use client'

import { type CSSProperties, useEffect } from 'react'
import type { ArrangedPath } from '#lib/engine/sound/arrangement.ts'
import type { Source } from '#lib/studio/sound/transport.ts'
import { threadColor } from '#lib/ui/components/thread-colors.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { useSound } from '../common/session.tsx'
import { useKeys } from '../common/use-keys.ts'
import { INSTRUMENT_NAMES } from './instrument-names.ts'
import { PlayButton } from './play-button.tsx'
import { SoundMenu } from './sound-menu.tsx'
import { TempoField } from './tempo-field.tsx'
import { LoopButton, Position, switchPath, VolumeField } from './transport-controls.tsx'
import { useTransport } from './use-transport.ts'

/** Instruments with a switch of their own in the bar; the others are in the menu beside it. */
const SWITCHES = 6

/** The bar at the bottom of the studio: it starts, stops and shapes what sounds, whatever else is open. */
export function TransportBar() {
  const { transport } = useSound()
  const { playing, source, arrangement, volume, problem } = useTransport()
  useKeys((id) => {
    if (id !== 'play' || source === undefined) return false
    transport.toggle()
    return true
  })
  // Another workspace, or another page, has nothing to do with what plays.
  useEffect(() => transport.reset, [transport])
  const ready = source !== undefined && arrangement !== undefined
  return (
    <section
      aria-label="Transport"
      className="flex h-14 w-full min-w-0 items-center gap-2 border-line border-t bg-raised px-2 text-sm sm:px-3"
    >
      <PlayButton
        playing={playing}
        disabled={!ready}
        title={
          ready ? (playing ? 'Stop (space bar)' : `Play ${source.name} (space bar)`) : 'Nothing has run yet'
        }
        onPress={transport.toggle}
      />
      {ready ? (
        <>
          <LoopButton className="hidden md:grid" source={source} loop={arrangement.loop} />
          <TempoField className="hidden md:flex" source={source} bpm={arrangement.bpm} />
          <Position steps={arrangement.steps} />
          <div className="hidden min-w-0 items-center gap-1 lg:flex">
            {arrangement.paths
              .map((path, index) => ({ path, index }))
              .filter(({ path }) => path.instrument !== 'silent')
              .slice(0, SWITCHES)
              .map((each, _, all) => {
                const same = all.filter(({ path }) => path.instrument === each.path.instrument)
                const number = same.length > 1 ? same.indexOf(each) + 1 : undefined
                return <PathSwitch key={each.path.key} {...each} number={number} source={source} />
              })}
          </div>
          <SoundMenu source={source} arrangement={arrangement} volume={volume} />
          <VolumeField className="hidden lg:flex" volume={volume} />
        </>
      ) : (
        <p className="sr-only">Nothing to play yet.</p>
      )}
      <p role="alert" className={problem === '' ? 'sr-only' : 'max-w-80 text-xs'}>
        {problem}
      </p>
    </section>
  )
}

function PathSwitch({
  path,
  index,
  number,
  source,
}: {
  path: ArrangedPath
  index: number
  /** Which one of its instrument it is, where there are several. */
  number: number | undefined
  source: Source
}) {
  const on = !path.muted
  const instrument = INSTRUMENT_NAMES[path.instrument]
  return (
    <Button
      size="small"
      aria-pressed={on}
      aria-label={`${instrument}, voice ${index + 1}`}
      title={`${instrument} plays ${path.path}${on ? '' : ', off'}`}
      onClick={() => switchPath(source, path)}
      className="group min-w-9 gap-1.5 px-2 font-normal text-ink-soft text-xs aria-pressed:text-ink touch:min-w-11"
    >
      <span
        aria-hidden="true"
        className="size-2.5 rounded-full border-2 group-aria-pressed:bg-(--dot)"
        style={{ '--dot': threadColor(index), borderColor: threadColor(index) } as CSSProperties}
      />
      {number === undefined ? instrument : `${instrument} ${number}`}
    </Button>
  )
}
