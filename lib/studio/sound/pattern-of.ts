import type { ArrangedPath, Arrangement } from '#lib/engine/sound/arrangement.ts'
import { isTuned, type Part, partOf, REST, rowsOf } from '#lib/engine/sound/notes.ts'
import { isSameShape, type Shape } from '#lib/engine/sound/roles.ts'
import type { Instrument } from '#lib/engine/sound/settings.ts'
import { memoizeByObject } from '../document/memoize.ts'
import type { Pattern } from './synth/pattern.ts'

/** Seconds from a step to the next. */
function stepSecondsOf({ bpm, stepsPerBeat }: Pick<Arrangement, 'bpm' | 'stepsPerBeat'>): number {
  return 60 / bpm / stepsPerBeat
}

/** Mean square of what is heard, weighted as ears weight it: -16 LUFS. */
const POWER = 10 ** ((-16 + 0.691) / 10)
/** Bounds of the gain: few quiet notes stay quiet, and many loud ones too. */
const GAIN = { min: 0.05, max: 0.7 }
/** Weighted energy of a note at full velocity and a gain of 1: of its stroke, and of each second that it is held. */
const ENERGY: Readonly<Record<Exclude<Instrument, 'silent'>, readonly [stroke: number, held: number]>> = {
  ...{ keys: [0.05, 0.25], pluck: [0.042, 0], bass: [0.025, 0.15], lead: [0.05, 0.25], bell: [0.16, 0] },
  ...{
    pad: [0.02, 0.08],
    kit: [0.03, 0],
    kick: [0.067, 0],
    snare: [0.024, 0],
    hat: [0.003, 0],
    clap: [0.025, 0],
  },
}
const LONGEST_HELD_SECONDS = 0.8
/** Energy grows with this power of the velocity. */
const VELOCITY_POWER = 3

/** An arrangement as the synthesiser plays it. */
export function patternOf(arrangement: Arrangement, id: number): Pattern {
  const sounding = arrangement.paths.filter(({ muted, instrument }) => !muted && instrument !== 'silent')
  const stepSeconds = stepSecondsOf(arrangement)
  const energy = sounding.reduce((sum, path) => sum + energyOf(path, stepSeconds), 0)
  const power = energy / Math.max(1, arrangement.steps * stepSeconds)
  return {
    id,
    steps: arrangement.steps,
    stepSeconds,
    swing: arrangement.swing / 100,
    loop: arrangement.loop,
    gain: Math.min(GAIN.max, Math.max(GAIN.min, Math.sqrt(POWER / power))),
    tracks: sounding.map((path) => ({
      key: path.key,
      instrument: path.instrument as Exclude<Instrument, 'silent'>,
      ...cachedPart(path),
      ...(path.room !== undefined && { room: path.room / 100 }),
      ...(path.echo > 0 && { echo: path.echo / 100 }),
    })),
  }
}

const strokes = memoizeByObject((part: Part) => {
  // Powers of velocities, and of those times their lengths.
  let [struck, held] = [0, 0]
  for (const { notes, levels, lengths } of rowsOf(part)) {
    for (const [step, note] of notes.entries()) {
      if (note === REST) continue
      const power = (levels[step]! / 127) ** VELOCITY_POWER
      struck += power
      held += power * (lengths?.[step] ?? 1)
    }
  }
  return { struck, held }
})

/** Weighted energy of a path at a gain of 1 and its full level: a level is not made up for. */
function energyOf(path: ArrangedPath, stepSeconds: number): number {
  if (path.level === 0) return 0
  const { struck, held } = strokes(cachedPart(path))
  const [stroke, perSecond] = ENERGY[path.instrument as Exclude<Instrument, 'silent'>]
  const seconds = Math.min(held * stepSeconds, struck * LONGEST_HELD_SECONDS)
  return (stroke * struck + perSecond * seconds) / (path.level / 100) ** VELOCITY_POWER
}

/** Parts of the same values that are kept. */
const MAX_PARTS = 8
const parts = memoizeByObject((_data: readonly number[]) => new Map<string, { part: Part; shape: Shape }>())

/** Part of a path. A slider changes one path of many: the parts of the others are those from before. */
export function cachedPart(path: ArrangedPath): Part {
  const { data, instrument, mapping, scale, root, octave, span, hits, stepsPerBeat, level, place, shape } =
    path
  const known = parts(data)
  const kind = isTuned(instrument) ? 'tuned' : instrument
  const key = [kind, mapping, scale, root, octave, span, hits, stepsPerBeat, level, place].join()
  const before = known.get(key)
  if (before !== undefined && isSameShape(before.shape, shape)) return before.part
  const part = partOf(data, path)
  if (known.size >= MAX_PARTS) known.clear()
  known.set(key, { part, shape })
  return part
}
