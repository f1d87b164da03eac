/* Streams of numbers as strokes: how hard each place of a round is struck, 0 to 1. */
import { isCount } from './streams.js'

/** Numbers up to this are how loud a step is. */
const MOST_LOUDNESS = 8

/** @returns {number[]} */
export function strengthsOf(data, places) {
  return isCount(data) ? byNumber(data, places) : byStep(data, places)
}

/** Each number is a place; the more often a place is met, the louder it is. */
function byNumber(data, places) {
  const met = new Array(places).fill(0)
  for (const value of data) met[value % places] += 1
  const most = Math.max(1, ...met)
  return met.map((times) => (times === 0 ? 0 : 0.4 + (0.6 * times) / most))
}

/**
 * Each step is a place. Small numbers are how loud it is, and 0 is silent; of others the upper half sounds, as the studio
 * hears drums.
 */
function byStep(data, places) {
  if (data.length === 0) return new Array(places).fill(0)
  const low = data.reduce((least, value) => Math.min(least, value))
  const high = data.reduce((most, value) => Math.max(most, value))
  const silent = low === 0 || high === low || high <= MOST_LOUDNESS ? 0 : (low + high) / 2
  return Array.from({ length: places }, (_, place) => {
    const value = data[place % data.length]
    return value > silent ? 0.4 + (0.6 * (value - silent)) / (high - silent) : 0
  })
}
