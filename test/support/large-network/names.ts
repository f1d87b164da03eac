import type { Random } from './random.ts'

const FIRST =
  'Amber Ash Brass Calm Clear Cold Coral Deep Dim Dry Early Even Faint Fast Fern Frost Gold Grey High Hollow Iron Jade Late Light Long Low Mild Moss Near New Night North Odd Old Opal Pale Plain Quick Quiet Rare Red Rough Round Rust Sharp Short Silver Slow Soft Steep Still Strong Sweet Tall Thin Warm Wide Wild Young'.split(
    ' ',
  )
const SECOND =
  'Arc Band Bell Bloom Branch Bridge Chord Cloud Coil Comb Crest Curve Drift Drum Dune Echo Edge Fall Field Flow Fold Gate Glow Grain Harp Hill Horn Knot Lake Lamp Lattice Leaf Line Loom Loop Mask Mesh Mist Moon Note Path Peak Pitch Plume Pulse Rain Reed Ridge Ring River Rope Sail Seed Shade Shell Shore Song Spark Spin Spiral Spring Star Stem Step Stone Storm String Swell Thread Tide Tone Trail Twist Vale Veil Wave Weave Wheel Wind Wing'.split(
    ' ',
  )

/** Words as people name things, without a space: some are found often, some once. */
export function words(random: Random): string {
  return `${FIRST[random.popular(FIRST.length)]}${SECOND[random.popular(SECOND.length)]}`
}
