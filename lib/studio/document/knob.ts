/*
 * A number of a connector that its author shows as a slider. Saved with the document, so that undo, versions, links and
 * remixes carry it.
 */

export interface Knob {
  readonly name: string
  readonly target: NumberTarget
  /** Range of its slider. */
  readonly min: number
  readonly max: number
}

/** A number inside a connector. */
export type NumberTarget =
  | { readonly kind: 'call'; readonly callId: string; readonly index: number }
  | { readonly kind: 'condition'; readonly index: number }
  | { readonly kind: 'start' | 'shift'; readonly position: number }

/** Knobs of one connector. */
export const MAX_KNOBS = 64
export const MAX_KNOB_NAME = 60

/** A text that is equal for equal targets and different for different ones. */
export function targetKey(target: NumberTarget): string {
  switch (target.kind) {
    case 'call':
      return JSON.stringify([target.kind, target.callId, target.index])
    case 'condition':
      return JSON.stringify([target.kind, target.index])
    default:
      return JSON.stringify([target.kind, target.position])
  }
}

/** The range that a knob has before its author chooses one: room for twice the value. */
export function guessedRange(
  value: number,
  limits: { readonly min: number; readonly max: number },
): { readonly min: number; readonly max: number } {
  const far = Math.max(8, 2 * Math.abs(value))
  return { min: Math.max(limits.min, value < 0 ? -far : 0), max: Math.min(limits.max, far) }
}

/** A whole number of the range. @param chance 0 up to, but not including, 1. */
export function thrown({ min, max }: Pick<Knob, 'min' | 'max'>, chance: number): number {
  return min + Math.floor(chance * (max - min + 1))
}

/** The value of a knob for a MIDI control of 0 to 127. */
export function turned({ min, max }: Pick<Knob, 'min' | 'max'>, control: number): number {
  return Math.round(min + (control / 127) * (max - min))
}
