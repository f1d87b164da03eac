/* What a weaver calls a draft: colour and shaft of every thread, from the numbers of a run. */
import { extentOf, scaleOf } from './shared/streams.js'

/** The dyes, from the lowest number of a stream to its highest. */
const WARP = ['#1f2b6b', '#3450b4', '#7d92ee', '#e9e4d3', '#e8c24c', '#c7702f', '#93307c']
const WEFT = ['#5d1633', '#b3283f', '#ef8a75', '#f4ecd9', '#7fd3bd', '#0c7562', '#123f4a']
/** Where numbers are the shafts themselves: one colour each way, so that the weave is what is seen. */
const PLAIN_WARP = ['#1f2b6b', '#2b3f97']
const PLAIN_WEFT = ['#f4ecd9', '#ead9b4']
export const SHAFTS = 4
const MOST_THREADS = 96
const FEWEST_THREADS = 24

/** @returns {{ warp: Uint8Array, weft: Uint8Array, threads: number }} Four bytes a thread: colour, then shaft 0..3. */
export function draftOf(streams) {
  const across = streams[0]?.data ?? []
  const down = streams[1]?.data ?? across
  const threads = Math.max(FEWEST_THREADS, Math.min(MOST_THREADS, across.length))
  const isDraft = [across, down].every(nameShafts)
  return {
    warp: threadsOf(across, threads, isDraft ? PLAIN_WARP : WARP, isDraft),
    weft: threadsOf(down, threads, isDraft ? PLAIN_WEFT : WEFT, isDraft),
    threads,
  }
}

/** The tie-up: a twill that goes over two threads and under two. */
export function isWarpOnTop(shaft, treadle) {
  return (shaft + treadle) % SHAFTS < 2
}

/** Whether numbers are few enough to be shafts, and not all the same one. */
function nameShafts(data) {
  const [low, high] = extentOf(data)
  return high > low && high < SHAFTS
}

function threadsOf(data, threads, dyes, isDraft) {
  const scale = scaleOf(data)
  const bytes = new Uint8Array(threads * 4)
  // A short run is repeated until the loom is full.
  for (let thread = 0; thread < threads && data.length > 0; thread += 1) {
    const value = data[thread % data.length]
    const colour = mix(dyes, scale(value))
    // Threads of one colour still move from shaft to shaft: a cloth of one number holds together.
    bytes.set([...colour, (isDraft ? value : value + thread) % SHAFTS], thread * 4)
  }
  return bytes
}

/** @param {number} place 0 to 1. @returns three bytes. */
function mix(dyes, place) {
  const at = Math.min(dyes.length - 1.000_001, place * (dyes.length - 1))
  const [from, to] = [dyes[Math.floor(at)], dyes[Math.floor(at) + 1]].map(bytesOf)
  return from.map((byte, part) => Math.round(byte + (to[part] - byte) * (at % 1)))
}

function bytesOf(hex) {
  return [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16))
}
