'use client'

import { type ReactNode, useId } from 'react'
import type { ArrangedPath, Arrangement } from '#lib/engine/sound/arrangement.ts'
import { isTuned, PITCH_NAMES } from '#lib/engine/sound/notes.ts'
import type { Role } from '#lib/engine/sound/roles.ts'
import {
  HIT_RULES,
  type HitRule,
  INSTRUMENTS,
  type PathSound,
  PITCH_MAPPINGS,
  type PitchMapping,
  SCALES,
  type Scale,
  withPathSound,
} from '#lib/engine/sound/settings.ts'
import { OCTAVE, SPAN, STEPS_PER_BEAT } from '#lib/protocol/sound-limits.ts'
import type { Source } from '#lib/studio/sound/transport.ts'
import { threadColor } from '#lib/ui/components/thread-colors.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { Check } from '#lib/ui/kit/choice.tsx'
import { Select } from '#lib/ui/kit/select.tsx'
import { useSound } from '../common/session.tsx'
import { INSTRUMENT_NAMES } from './instrument-names.ts'
import { TempoField } from './tempo-field.tsx'
import { LoopButton, switchPath, VolumeField } from './transport-controls.tsx'
import { useMidi } from './use-transport.ts'

const SCALE_NAMES: Readonly<Record<Scale, string>> = {
  pentatonic: 'minor pentatonic',
  major: 'major',
  minor: 'minor',
  dorian: 'dorian',
  blues: 'blues',
  whole: 'whole tone',
  chromatic: 'chromatic',
}
const MAPPING_NAMES: Readonly<Record<PitchMapping, string>> = {
  spread: 'low to high',
  steps: 'steps of the scale',
  notes: 'MIDI notes',
}
const ROLE_WORDS: Readonly<Record<Exclude<Role, 'pitch'>, string>> = {
  velocity: 'how loud the notes are',
  length: 'how long the notes last',
  gate: 'rests where it is 0',
  time: 'when the notes begin',
  pan: 'where the notes are',
}
const HIT_NAMES: Readonly<Record<HitRule, string>> = {
  above_zero: 'above 0',
  upper_half: 'in the upper half',
  change: 'where it changes',
}
const RATE_NAMES: Readonly<Record<(typeof STEPS_PER_BEAT)[number], string>> = {
  1: 'a beat',
  2: 'half a beat',
  3: 'a third',
  4: 'a quarter of a beat',
  6: 'a sixth',
  8: 'an eighth',
}

export interface SoundSettingsProps {
  readonly source: Source
  readonly arrangement: Arrangement
  readonly volume: number
}

/** Settings of the sound: key and step for the piece, instrument and notes for each path. */
export function SoundSettings({ source, arrangement, volume }: SoundSettingsProps) {
  const { paths, bpm, loop, root, scale, stepsPerBeat, swing } = arrangement
  return (
    <>
      <div className="mt-3 flex flex-wrap items-end gap-3">
        <div className="flex items-center gap-2 md:hidden">
          <LoopButton source={source} loop={loop} />
          <TempoField source={source} bpm={bpm} />
        </div>
        <SoundSelect
          label="A step is"
          value={stepsPerBeat}
          options={STEPS_PER_BEAT.map((rate) => [rate, RATE_NAMES[rate]])}
          onChoice={(next) => source.onSound('Change step', (sound) => ({ ...sound, stepsPerBeat: next }))}
        />
        <SoundSelect
          label="Swing"
          value={swing}
          options={withValue(SWINGS, swing).map((each) => [each, amountName(each)])}
          onChoice={(next) => source.onSound('Change swing', (sound) => ({ ...sound, swing: next }))}
        />
        <SoundSelect
          label="Key"
          value={root}
          options={PITCH_NAMES.map((name, index) => [index, name])}
          onChoice={(next) => source.onSound('Change key', (sound) => ({ ...sound, root: next }))}
        />
        <SoundSelect
          label="Scale"
          value={scale}
          options={SCALES.map((each) => [each, SCALE_NAMES[each]])}
          onChoice={(next) => source.onSound('Change scale', (sound) => ({ ...sound, scale: next }))}
        />
        <VolumeField className="flex h-10 lg:hidden" volume={volume} />
      </div>
      <ul aria-label="Voices" className="mt-4 divide-y divide-line border-line border-t">
        {paths.map((path, index) => (
          <PathRow key={path.key} path={path} index={index} source={source} />
        ))}
      </ul>
      <MidiClock />
    </>
  )
}

function PathRow({ path, index, source }: { path: ArrangedPath; index: number; source: Source }) {
  const {
    key,
    role,
    instrument,
    mapping,
    hits,
    octave,
    span,
    level,
    pan,
    room,
    echo,
    muted,
    scale,
    ownScale,
  } = path
  const on = !muted && instrument !== 'silent'
  const set = (label: string, change: Omit<PathSound, 'path'>) =>
    source.onSound(label, (sound) => withPathSound(sound, key, change))
  const tuned = isTuned(instrument)
  const voice = `voice ${index + 1}`
  return (
    <li className="flex flex-wrap items-end gap-x-3 gap-y-2 py-3">
      <Check
        onCheck={() => switchPath(source, path)}
        checked={on}
        className="min-h-10 w-full min-w-0 sm:w-36"
      >
        <span
          aria-hidden="true"
          className="h-1 w-5 shrink-0 rounded-full"
          style={{ background: threadColor(index) }}
        />
        <span className="mono min-w-0 truncate" title={path.path}>
          {nameOf(path.path)} <span className="text-ink-soft">{index + 1}</span>
        </span>
      </Check>
      <SoundSelect
        label="Instrument"
        name={`Instrument of ${voice}`}
        value={instrument}
        options={INSTRUMENTS.map((each) => [each, INSTRUMENT_NAMES[each]])}
        onChoice={(next) => set('Change instrument', { instrument: next })}
      />
      {tuned ? (
        <>
          <SoundSelect
            label="Values are"
            name={`Mapping of ${voice}`}
            value={mapping}
            options={PITCH_MAPPINGS.map((each) => [each, MAPPING_NAMES[each]])}
            onChoice={(next) => set('Change mapping', { mapping: next })}
          />
          {mapping === 'notes' ? null : (
            <>
              <SoundSelect
                label="Lowest octave"
                name={`Lowest octave of ${voice}`}
                value={octave}
                options={numbers(OCTAVE).map((each) => [each, String(each)])}
                onChoice={(next) => set('Change octave', { octave: next })}
              />
              <SoundSelect
                label="Range"
                name={`Range of ${voice}`}
                value={span}
                options={numbers(SPAN).map((each) => [each, each === 1 ? '1 octave' : `${each} octaves`])}
                onChoice={(next) => set('Change range', { span: next })}
              />
              <SoundSelect
                label="Scale"
                name={`Scale of ${voice}`}
                value={ownScale ? scale : 'piece'}
                options={[
                  ['piece', 'of the piece'] as const,
                  ...SCALES.map((each) => [each, SCALE_NAMES[each]] as const),
                ]}
                onChoice={(next) => set('Change scale', { scale: next === 'piece' ? undefined : next })}
              />
            </>
          )}
        </>
      ) : instrument === 'kit' ? (
        <p className="flex h-10 items-center text-ink-soft text-xs">
          0 rests, 1 kick, 2 snare, 3 hat, 4 clap
        </p>
      ) : instrument === 'silent' ? (
        role === undefined || role === 'pitch' ? null : (
          <p className="flex h-10 items-center text-ink-soft text-xs">{ROLE_WORDS[role]}</p>
        )
      ) : (
        <SoundSelect
          label="Hit when the value is"
          name={`Hits of ${voice}`}
          value={hits}
          options={HIT_RULES.map((each) => [each, HIT_NAMES[each]])}
          onChoice={(next) => set('Change hits', { hits: next })}
        />
      )}
      {instrument === 'silent' ? null : (
        <>
          <SoundSelect
            label="Level"
            name={`Level of ${voice}`}
            value={level}
            options={withValue(LEVELS, level).map((each) => [each, `${each} %`])}
            onChoice={(next) => set('Change level', { level: next })}
          />
          <SoundSelect
            label="Place"
            name={`Place of ${voice}`}
            value={pan ?? ''}
            options={[
              ['', 'beside the others'],
              ...withValue(PANS, pan).map((each) => [each, placeName(each)] as const),
            ]}
            onChoice={(next) => set('Change place', { pan: next === '' ? undefined : Number(next) })}
          />
          <SoundSelect
            label="Room"
            name={`Room of ${voice}`}
            value={room ?? ''}
            options={[
              ['', 'as it suits'],
              ...withValue(SENDS, room).map((each) => [each, amountName(each)] as const),
            ]}
            onChoice={(next) => set('Change room', { room: next === '' ? undefined : Number(next) })}
          />
          <SoundSelect
            label="Echo"
            name={`Echo of ${voice}`}
            value={echo}
            options={withValue(SENDS, echo).map((each) => [each, amountName(each)])}
            onChoice={(next) => set('Change echo', { echo: next === 0 ? undefined : next })}
          />
        </>
      )}
    </li>
  )
}

const LEVELS = [100, 80, 60, 40, 20]
const PANS = [-100, -50, 0, 50, 100]
const SENDS = [0, 20, 40, 70, 100]
const SWINGS = [0, 15, 33, 50]
const PLACE_NAMES = new Map([
  [-100, 'left'],
  [-50, 'half left'],
  [0, 'middle'],
  [50, 'half right'],
  [100, 'right'],
])

function amountName(percent: number): string {
  return percent === 0 ? 'none' : `${percent} %`
}

function placeName(pan: number): string {
  return PLACE_NAMES.get(pan) ?? (pan < 0 ? `left ${-pan} %` : `right ${pan} %`)
}

/** The choices, with the present one where it is none of them. */
function withValue(choices: readonly number[], value: number | undefined): readonly number[] {
  return value === undefined || choices.includes(value) ? choices : [...choices, value]
}

/** The connector whose dimension a path ends at. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf(':'))
}

function numbers({ min, max }: { readonly min: number; readonly max: number }): number[] {
  return Array.from({ length: max - min + 1 }, (_, index) => min + index)
}

/** Drum machines and other programs follow the tempo. */
function MidiClock() {
  const { midi } = useSound()
  const { access, outputs, clockTo } = useMidi()
  return (
    <div className="flex flex-wrap items-end gap-3 border-line border-t pt-3">
      {access === 'open' ? (
        <SoundSelect
          label="Send MIDI clock to"
          value={clockTo ?? ''}
          options={[['', 'nothing'], ...outputs.map(({ id, name }) => [id, name] as const)]}
          onChoice={(id) => midi.sendClockTo(id === '' ? undefined : id)}
        />
      ) : (
        <Button className="min-h-10" disabled={access === 'opening'} onClick={() => void midi.open()}>
          Use MIDI devices
        </Button>
      )}
      <p role="status" className="flex min-h-10 items-center text-ink-soft text-xs">
        {MIDI_STATUS[access]}
      </p>
    </div>
  )
}

const MIDI_STATUS = {
  closed: '',
  opening: 'The browser asks you to allow it.',
  open: '',
  refused: 'Not allowed. Allow MIDI devices in the settings that your browser has for this page.',
  absent: 'This browser has no access to MIDI devices. Chrome, Edge and Firefox have.',
} as const

/** A select with its values as they are. */
function SoundSelect<T extends string | number>({
  label,
  name,
  value,
  options,
  onChoice,
}: {
  label: ReactNode
  /** Accessible name, where several have the same label. */
  name?: string
  value: T
  options: readonly (readonly [T, string])[]
  onChoice: (value: T) => void
}) {
  const id = useId()
  return (
    <div className="min-w-0 max-w-full text-xs">
      <label htmlFor={id} className="block text-ink-soft">
        {label}
      </label>
      <Select
        look="small"
        options={options}
        onValue={onChoice}
        id={id}
        {...(name !== undefined && { 'aria-label': name })}
        value={value}
      />
    </div>
  )
}
