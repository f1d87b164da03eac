import type { ArrangedPath, Arrangement } from '#lib/engine/sound/arrangement.ts'
import { isTuned, type Part, partOf } from '#lib/engine/sound/notes.ts'
import { isSameShape, type Shape } from '#lib/engine/sound/roles.ts'
import type { Instrument } from '#lib/engine/sound/settings.ts'
import { memoizeByObject } from '../document/memoize.ts'
import type { Pattern } from './synth/pattern.ts'

/** Seconds from a step to the next. */
function stepSecondsOf({ bpm, stepsPerBeat }: Pick<Arrangement, 'bpm' | 'stepsPerBeat'>): number {
  return 60 / bpm / stepsPerBeat
}

const LOUDNESS = 0.5

/** An arrangement as the synthesiser plays it. */
export function patternOf(arrangement: Arrangement, id: number): Pattern {
  const sounding = arrangement.paths.filter(({ muted, instrument }) => !muted && instrument !== 'silent')
  return {
    id,
    steps: arrangement.steps,
    stepSeconds: stepSecondsOf(arrangement),
    swing: arrangement.swing / 100,
    loop: arrangement.loop,
    gain: LOUDNESS / Math.sqrt(Math.max(1, Math.min(8, sounding.length))),
    tracks: sounding.map((path) => ({
      key: path.key,
      instrument: path.instrument as Exclude<Instrument, 'silent'>,
      ...cachedPart(path),
      ...(path.room !== undefined && { room: path.room / 100 }),
      ...(path.echo > 0 && { echo: path.echo / 100 }),
    })),
  }
}

/** Parts of the same values that are kept. */
const MAX_PARTS = 8
const parts = memoizeByObject((_data: readonly number[]) => new Map<string, { part: Part; shape: Shape }>())

/** A slider changes one path of many: the parts of the others are those from before. */
function cachedPart(path: ArrangedPath): Part {
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
