import { concat, keccak256, numberToHex, stringToBytes } from 'viem/utils'
import type { Leaf } from './artifact.ts'
import type { Hash, Hex } from './entity.ts'

const DIMENSION_DOMAIN = '0x10'
const LABEL_DOMAIN = '0x12'
const LANES: readonly Hex[] = ['0x00', '0x01', '0x02', '0x03']
const LANE_MASK = (1n << 64n) - 1n

/**
 * Names what a connector's particles are made of: the set of its leaves, whatever their order and repetition and
 * however they are reached. Connectors with one format hash can stand in for each other.
 *
 * Four 64-bit lanes; each adds, modulo 2^64, a digest of every distinct leaf. Lane 3 is the most significant.
 */
export function formatHash(leaves: readonly Leaf[]): Hash {
  const lanes = [0n, 0n, 0n, 0n]
  for (const leaf of distinctLeaves(leaves)) {
    const label = leafLabel(leaf)
    LANES.forEach((lane, index) => {
      lanes[index] = (lanes[index]! + (BigInt(keccak256(concat([lane, label]))) & LANE_MASK)) & LANE_MASK
    })
  }
  const packed = (lanes[3]! << 192n) | (lanes[2]! << 128n) | (lanes[1]! << 64n) | lanes[0]!
  return numberToHex(packed, { size: 32 })
}

/** Distinct labels `<declaring connector>:<dimension>`, ascending by code unit: `A:10` comes before `A:2`. */
export function scalarLabels(leaves: readonly Leaf[]): string[] {
  return [...new Set(leaves.map(labelText))].sort()
}

function distinctLeaves(leaves: readonly Leaf[]): Leaf[] {
  return [...new Map(leaves.map((leaf) => [labelText(leaf), leaf])).values()]
}

function labelText(leaf: Leaf): string {
  return `${leaf.connector}:${leaf.dimension}`
}

function leafLabel(leaf: Leaf): Hash {
  const name = keccak256(stringToBytes(leaf.connector))
  const dimension = keccak256(concat([DIMENSION_DOMAIN, numberToHex(leaf.dimension, { size: 4 })]))
  return keccak256(concat([LABEL_DOMAIN, name, dimension]))
}
