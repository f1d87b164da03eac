/* Streams of numbers as patterns on rings. */
import { strengthsOf } from './shared/rhythm.js'
import { labelOf } from './shared/streams.js'

export const MOST_RINGS = 6

/** @returns {{ label: string, strengths: number[] }[]} How strongly each place sounds, 0 to 1. */
export function patternsOf(streams, places) {
  return streams.slice(0, MOST_RINGS).map(({ path, data }) => ({
    label: labelOf(path),
    strengths: strengthsOf(data, places),
  }))
}
