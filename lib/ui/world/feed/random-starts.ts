import type { StartLine } from '#lib/protocol/running-instance.ts'
import { valueRangeAt, type WorldLimits } from '#lib/protocol/world-manifest.ts'
import type { TypedStarts } from '#lib/studio/runs/typed-starts.ts'

/** Default range: MIDI, which most Worlds can draw. */
const USUAL = { min: 0, max: 127 }
/** Range that a composite's values index; far out they only repeat, or meet a limit. */
const INDEX = { min: 0, max: 31 }
/** More values than are visually distinguishable. */
const MOST = 24

/** Positions whose start a random iteration may set. */
export function openLines(lines: readonly StartLine[]): readonly StartLine[] {
  return lines.filter(({ locked, position }) => !locked && position > 0).slice(0, MOST)
}

/**
 * A start for every open position, at its end within what the World takes there.
 *
 * @param random From 0 up to, but not including, 1.
 */
export function randomStarts(
  lines: readonly StartLine[],
  limits: WorldLimits | undefined,
  random: () => number = Math.random,
): TypedStarts {
  return new Map(
    openLines(lines).map(({ position, path, leadsTo }) => {
      const { min, max } = leadsTo === '' ? (valueRangeAt(limits, path) ?? USUAL) : INDEX
      return [position, { start: String(min + Math.floor(random() * (max - min + 1))), shift: '' }]
    }),
  )
}
