import { type ArrangedPath, arrange } from '#lib/engine/sound/arrangement.ts'
import { isTuned, partOf, REST } from '#lib/engine/sound/notes.ts'
import type { ConnectorSound } from '#lib/engine/sound/settings.ts'
import { measure } from '#lib/studio/explore/measures.ts'
import type { Stream } from '#lib/studio/runs/run.ts'
import type { Expected } from './tasks.ts'

function notesOf(path: ArrangedPath): number[] {
  return [...partOf(path.data, path).notes]
}

/** Parts of a task that a piece does not fulfil. */
export function misses(streams: readonly Stream[], sound: ConnectorSound, expected: Expected): string[] {
  const arrangement = arrange(streams, sound)
  const played = arrangement.paths.map(notesOf)
  const found: string[] = []
  const miss = (holds: boolean, what: string) => void (holds || found.push(what))
  miss(arrangement.paths.length === expected.voices, `${arrangement.paths.length} voices`)
  miss(arrangement.steps === expected.steps, `${arrangement.steps} steps`)
  const [root = 0, steps] = expected.scale ?? []
  for (const [index, path] of arrangement.paths.entries()) {
    if (steps === undefined || !isTuned(path.instrument)) continue
    const off = played[index]!.filter((note) => note !== REST && !steps.includes((note - root + 120) % 12))
    miss(off.length === 0, `voice ${index} leaves the scale: ${off}`)
  }
  for (const [index, rhythm] of Object.entries(expected.rhythm ?? {})) {
    const heard = played[Number(index)]?.map((note) => (note === REST ? '.' : 'x')).join('')
    miss(
      heard === rhythm.repeat(Math.ceil(expected.steps / rhythm.length)).slice(0, expected.steps),
      `rhythm ${index}: ${heard}`,
    )
  }
  for (const [index, step] of Object.entries(expected.enters ?? {})) {
    const entry = played[Number(index)]?.findIndex((note) => note !== REST)
    miss(entry === step, `voice ${index} enters at ${entry}`)
  }
  if (expected.follows !== undefined) {
    const [voice, other, late] = expected.follows
    const line = played[other]!.slice(0, -late)
    miss(played[voice]!.slice(late).join() === line.join(), `voice ${voice} does not follow`)
  }
  const [least, most] = expected.bpm ?? [0, 1000]
  miss(arrangement.bpm >= least && arrangement.bpm <= most, `${arrangement.bpm} beats a minute`)
  for (const [index, [low, high]] of Object.entries(expected.range ?? {})) {
    const sounding = played[Number(index)]!.filter((note) => note !== REST)
    miss(Math.min(...sounding) >= low && Math.max(...sounding) <= high, `range of ${index}`)
  }
  if (expected.repeats !== undefined) {
    const values = new Uint32Array(streams.flatMap(({ data }) => data))
    const { period } = measure(values, streams.length, expected.steps)
    miss(period === expected.repeats, `repeats after ${period}`)
  }
  miss(expected.check?.(arrangement) ?? true, 'its own check')
  return found
}
