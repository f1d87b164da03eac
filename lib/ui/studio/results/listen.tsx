'use client'

import { Play, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import type { Stream } from '../preview/run.ts'
import { type NoteMapping, notesOf, type Playing, play, type Scale } from './midi.ts'

/** How steps become sound, for playing and for MIDI alike. */
export interface SoundSettings {
  readonly mapping: NoteMapping
  readonly stepsPerSecond: number
}

export const DEFAULT_SOUND: SoundSettings = {
  mapping: { kind: 'spread', scale: 'pentatonic' },
  stepsPerSecond: 8,
}

const SCALES: readonly Scale[] = ['pentatonic', 'major', 'minor', 'chromatic']
const SPEEDS = [1, 2, 4, 8, 12, 16]
const select =
  'min-h-10 rounded-md border border-edge bg-raised px-2 text-sm pointer-coarse:min-h-11 max-w-full'

/** Plays one stream from the chosen step on. Nothing sounds before the button is pressed. */
export function Listen({
  stream,
  step,
  sound,
  onSound,
  onStep,
}: {
  stream: Stream
  step: number
  sound: SoundSettings
  onSound: (sound: SoundSettings) => void
  onStep: (step: number) => void
}) {
  const [playing, setPlaying] = useState<Playing>()
  const [problem, setProblem] = useState('')
  const latest = useRef<Playing>(undefined)
  const { mapping, stepsPerSecond } = sound
  const { data } = stream

  const stop = () => {
    latest.current?.stop()
    latest.current = undefined
    setPlaying(undefined)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: other values or another mapping stop the sound
  useEffect(() => stop, [data, mapping, stepsPerSecond])

  const start = () => {
    try {
      const from = step >= data.length - 1 ? 0 : step
      latest.current = play({
        notes: notesOf(data, mapping),
        stepsPerSecond,
        from,
        onStep,
        onEnd: () => setPlaying(undefined),
      })
      setPlaying(latest.current)
      setProblem('')
    } catch {
      setProblem('This browser plays no sound.')
    }
  }

  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
      {playing ? (
        <Button onClick={stop}>
          <Square className="size-4" aria-hidden="true" />
          Stop
        </Button>
      ) : (
        <Button onClick={start}>
          <Play className="size-4" aria-hidden="true" />
          Play path
        </Button>
      )}
      <label className="text-xs">
        <span className="block text-ink-soft">Values are</span>
        <select
          className={select}
          value={mapping.kind}
          onChange={({ currentTarget: { value } }) =>
            onSound({ ...sound, mapping: mappingOf(value, mapping) })
          }
        >
          <option value="spread">spread over three octaves</option>
          <option value="wrap">steps of a scale</option>
          <option value="direct">MIDI notes, 0 to 127</option>
        </select>
      </label>
      {mapping.kind === 'direct' ? null : (
        <label className="text-xs">
          <span className="block text-ink-soft">Scale</span>
          <select
            className={select}
            value={mapping.scale}
            onChange={({ currentTarget: { value } }) =>
              onSound({
                ...sound,
                mapping: {
                  kind: mapping.kind,
                  scale: SCALES.find((scale) => scale === value) ?? mapping.scale,
                },
              })
            }
          >
            {SCALES.map((scale) => (
              <option key={scale}>{scale}</option>
            ))}
          </select>
        </label>
      )}
      <label className="text-xs">
        <span className="block text-ink-soft">Steps a second</span>
        <select
          className={select}
          value={stepsPerSecond}
          onChange={({ currentTarget: { value } }) => onSound({ ...sound, stepsPerSecond: Number(value) })}
        >
          {SPEEDS.map((speed) => (
            <option key={speed}>{speed}</option>
          ))}
        </select>
      </label>
      <p role="status" className="text-sm">
        {problem}
      </p>
    </div>
  )
}

function mappingOf(kind: string, before: NoteMapping): NoteMapping {
  if (kind === 'direct') return { kind: 'direct' }
  const scale = before.kind === 'direct' ? 'pentatonic' : before.scale
  return { kind: kind === 'wrap' ? 'wrap' : 'spread', scale }
}
