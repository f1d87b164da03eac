/** Range within which a number is dragged, from where it is. */
export interface DragStart {
  readonly value: number
  readonly min: number
  readonly max: number
  /** A knob has a range of its own; any other number only what is possible. */
  readonly isKnob: boolean
  /** A level of a few steps, dragged upwards. */
  readonly isLevel?: boolean
}

/** A knob goes through its range on this many pixels. */
const KNOB_PIXELS = 240
/** Pixels for each level. */
const PIXELS_A_LEVEL = 12
/** Pixels for each whole number, where numbers are small. */
const PIXELS_A_UNIT = 4
/** Large numbers change by their own size on this many pixels. */
const PIXELS_A_DOUBLING = 400
/** Factor by which Shift and the page keys multiply, and Alt divides. */
export const COARSE = 10

/** Change by one pixel. */
export function unitsPerPixel({ value, min, max, isKnob, isLevel }: DragStart): number {
  if (isLevel) return Math.max(isKnob ? (max - min) / KNOB_PIXELS : 0, 1 / PIXELS_A_LEVEL)
  if (isKnob) return Math.max((max - min) / KNOB_PIXELS, 1 / (3 * PIXELS_A_UNIT))
  return Math.max(1 / PIXELS_A_UNIT, Math.abs(value) / PIXELS_A_DOUBLING)
}

/** Weighted movement: Shift makes it coarser, Alt finer. */
export function weighted(
  pixels: number,
  keys: { readonly shiftKey: boolean; readonly altKey: boolean },
): number {
  return pixels * (keys.shiftKey ? COARSE : 1) * (keys.altKey ? 1 / COARSE : 1)
}

/** The number after so many weighted pixels to the right. */
export function dragged(start: DragStart, pixels: number): number {
  return within(Math.round(start.value + pixels * unitsPerPixel(start)), start)
}

const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowUp', 1],
  ['ArrowDown', -1],
  ['PageUp', COARSE],
  ['PageDown', -COARSE],
])

/** The number after an arrow or page key; undefined for every other key. */
export function stepped(
  value: number,
  key: string,
  shiftKey: boolean,
  range: { readonly min: number; readonly max: number },
): number | undefined {
  const by = STEPS.get(key)
  return by === undefined
    ? undefined
    : within(value + (shiftKey && key.startsWith('Arrow') ? by * COARSE : by), range)
}

function within(value: number, { min, max }: { readonly min: number; readonly max: number }): number {
  return Math.max(min, Math.min(max, value))
}
