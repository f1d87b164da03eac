/* A run as a ring of bells: which hang in the tower, and when each is struck. */
import { voicesOf } from './shared/notes.js'

export const MOST_BELLS = 12
/** Bells of a run of small numbers, the highest first: a major scale down to the tenor. */
const SCALE = [0, 2, 4, 5, 7, 9, 11]
const TENOR = 60

/**
 * @returns {{ bells: { pitch: number }[], strokes: { bell: number, start: number, velocity: number }[], end: number }} Bells
 *   from the lowest to the highest; strokes in the order of time.
 */
export function ringOf(streams, voices, bindings) {
  const [only] = streams
  const highest = only?.data.reduce((most, value) => Math.max(most, value), 0) ?? 0
  const isNumbered =
    voices === undefined && streams.length > 0 && highest < MOST_BELLS && new Set(only.data).size > 2
  return isNumbered ? ringOfNumbers(streams, highest) : ringOfPitches(voicesOf(streams, voices, bindings))
}

/** Ringers number their bells from the treble, the highest, down. */
function ringOfNumbers(streams, highest) {
  const least = streams[0].data.reduce((low, value) => Math.min(low, value))
  const count = highest - least + 1
  const bells = Array.from({ length: count }, (_, place) => ({
    pitch: TENOR + SCALE[place % 7] + 12 * Math.floor(place / 7),
  }))
  const strokes = streams[0].data.map((value, start) => ({
    bell: count - 1 - (value - least),
    start,
    velocity: 96,
  }))
  return { bells, strokes, end: strokes.length }
}

function ringOfPitches({ voices, end }) {
  const notes = voices.flat().sort((a, b) => a.start - b.start)
  const pitches = [...new Set(notes.map(({ pitch }) => pitch))].sort((a, b) => a - b)
  // More pitches than the tower holds share its bells by octaves, then by neighbourhood.
  const hung =
    pitches.length <= MOST_BELLS
      ? pitches
      : [
          ...new Set(
            Array.from(
              { length: MOST_BELLS },
              (_, place) => pitches[Math.round((place * (pitches.length - 1)) / (MOST_BELLS - 1))],
            ),
          ),
        ]
  const bellOf = (pitch) =>
    hung.reduce(
      (best, each, place) => (Math.abs(each - pitch) < Math.abs(hung[best] - pitch) ? place : best),
      0,
    )
  return {
    bells: hung.map((pitch) => ({ pitch })),
    strokes: notes.map(({ pitch, start, velocity }) => ({ bell: bellOf(pitch), start, velocity, pitch })),
    end,
  }
}
