/** Pseudorandom numbers, deterministic for a seed. */
export interface Random {
  /** From 0 up to 1. */
  next(): number
  /** From 0 up to `below`. */
  whole(below: number): number
  /** Like `whole`, the low ones far more often: what is popular is chosen again. */
  popular(below: number): number
  pick<T>(from: readonly T[]): T
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  // Mulberry32.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    whole: (below) => Math.floor(next() * below),
    popular: (below) => Math.floor(next() ** 3 * below),
    pick: (from) => from[Math.floor(next() * from.length)]!,
  }
}

const FIRST =
  'Amber Ash Brass Calm Clear Cold Coral Deep Dim Dry Early Even Faint Fast Fern Frost Gold Grey High Hollow Iron Jade Late Light Long Low Mild Moss Near New Night North Odd Old Opal Pale Plain Quick Quiet Rare Red Rough Round Rust Sharp Short Silver Slow Soft Steep Still Strong Sweet Tall Thin Warm Wide Wild Young'.split(
    ' ',
  )
const SECOND =
  'Arc Band Bell Bloom Branch Bridge Chord Cloud Coil Comb Crest Curve Drift Drum Dune Echo Edge Fall Field Flow Fold Gate Glow Grain Harp Hill Horn Knot Lake Lamp Lattice Leaf Line Loom Loop Mask Mesh Mist Moon Note Path Peak Pitch Plume Pulse Rain Reed Ridge Ring River Rope Sail Seed Shade Shell Shore Song Spark Spin Spiral Spring Star Stem Step Stone Storm String Swell Thread Tide Tone Trail Twist Vale Veil Wave Weave Wheel Wind Wing'.split(
    ' ',
  )

/** A name of two words without a space: some are frequent, some unique. */
export function words(random: Random): string {
  return `${FIRST[random.popular(FIRST.length)]}${SECOND[random.popular(SECOND.length)]}`
}
