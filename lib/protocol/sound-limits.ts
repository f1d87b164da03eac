/** Beats a minute. */
export const TEMPO = { min: 20, max: 300 } as const
export const STEPS_PER_BEAT = [1, 2, 3, 4, 6, 8] as const
/** Swing of a piece, level of a path. */
export const PERCENT = { min: 0, max: 100 } as const
/** From left to right. */
export const PAN = { min: -100, max: 100 } as const
/** Number of the octave of a path's lowest note (middle C begins octave 4), and how many octaves it spans. */
export const OCTAVE = { min: 0, max: 8 } as const
export const SPAN = { min: 1, max: 6 } as const
