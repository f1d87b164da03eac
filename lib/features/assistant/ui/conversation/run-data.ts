import { arrange } from '#lib/engine/sound/arrangement.ts'
import { isTuned, noteName, PITCH_NAMES, partOf, REST } from '#lib/engine/sound/notes.ts'
import type { ConnectorSound } from '#lib/engine/sound/settings.ts'
import { measure } from '#lib/studio/explore/measures.ts'
import type { Stream } from '#lib/studio/runs/run.ts'
import { stepsOf } from '#lib/studio/runs/run.ts'

/** Values listed of each voice. */
const MAX_SHOWN = 64
const MAX_VOICES = 12
/** Longest window of the measures. */
const MAX_MEASURED = 1024

/** Measures of a run, and the notes and rhythm of each voice. */
export function runData(streams: readonly Stream[], sound: ConnectorSound): object {
  const { bpm, stepsPerBeat, swing, loop, paths, scale, root } = arrange(streams, sound)
  const steps = stepsOf(streams)
  const seconds = (steps / stepsPerBeat) * (60 / bpm)
  return {
    voices: streams.length,
    steps,
    beatsPerMinute: bpm,
    stepsPerBeat,
    ...(swing > 0 && { swing }),
    seconds: Math.round(seconds * 10) / 10,
    loops: loop,
    scale: `${PITCH_NAMES[root]} ${scale}`,
    ...measuresOf(streams),
    each: paths.slice(0, MAX_VOICES).map((voice) => ({
      path: voice.key,
      instrument: voice.muted ? `${voice.instrument} (muted)` : voice.instrument,
      ...(isTuned(voice.instrument) && { values: `taken as ${voice.mapping}` }),
      ...figuresOf(voice.data),
      ...playedOf([...partOf(voice.data, voice).notes], isTuned(voice.instrument)),
    })),
    ...(streams.length > MAX_VOICES && { left: `${streams.length - MAX_VOICES} more voices` }),
  }
}

/** The measures of the variations sheet. */
function measuresOf(streams: readonly Stream[]): object {
  const count = Math.min(MAX_MEASURED, ...streams.map(({ data }) => data.length))
  if (streams.length === 0 || count === 0) return {}
  const values = new Uint32Array(streams.length * count)
  for (const [index, { data }] of streams.entries()) values.set(data.slice(0, count), index * count)
  const { range, period, entropy } = measure(values, streams.length, count)
  return {
    rangeInBits: rounded(range),
    repeatsAfterSteps: period === 0 ? `not within ${count} steps` : period,
    entropyOfChangesInBits: rounded(entropy),
  }
}

function figuresOf(data: readonly number[]): object {
  const changes = data.slice(1).map((value, index) => value - data[index]!)
  const leaps = changes.filter((change) => Math.abs(change) > 2).length
  return {
    first: data.slice(0, MAX_SHOWN),
    least: Math.min(...data.slice(0, 65_536)),
    most: Math.max(...data.slice(0, 65_536)),
    up: changes.filter((change) => change > 0).length,
    down: changes.filter((change) => change < 0).length,
    leaps,
  }
}

/** The rhythm as x and . for each step, and the notes of a tuned voice. */
function playedOf(notes: readonly number[], tuned: boolean): object {
  const sounding = notes.map((note) => note !== REST)
  const entry = sounding.indexOf(true)
  return {
    entersAtStep: entry === -1 ? 'never' : entry,
    soundsIn: `${sounding.filter(Boolean).length} of ${notes.length} steps`,
    rhythm: sounding
      .slice(0, MAX_SHOWN)
      .map((each) => (each ? 'x' : '.'))
      .join(''),
    ...(tuned && {
      // A rest is `-`.
      notes: notes
        .slice(0, MAX_SHOWN)
        .map((note) => (note === REST ? '-' : noteName(note)))
        .join(' '),
    }),
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
