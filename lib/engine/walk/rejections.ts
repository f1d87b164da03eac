import { keccak256, stringToBytes } from 'viem/utils'
import type { Hash, Hex } from '#lib/protocol/entity.ts'

/** Revert data of the Runner itself, as `contracts/Errors.sol` has it. */
function word(value: number | bigint) {
  return value.toString(16).padStart(64, '0')
}

export const OVERFLOW: Hex = `0x4e487b71${word(0x11)}`

export const NO_PARTICLES: Hex = errorText('number of particles must be greater than 0')

export function conditionNotMet(connector: string): Hex {
  return `0xf54d97ab${keccak256(stringToBytes(connector)).slice(2)}`
}

export function staticOverride(position: number): Hex {
  return `0xb57b8e82${word(position)}`
}

export function duplicate(position: number): Hex {
  return `0x8e03f168${word(position)}`
}

export function notSorted(previous: number, position: number): Hex {
  return `0xc17133fa${word(previous)}${word(position)}`
}

/** Code with an invalid return value, at its address in a simulation. */
export function invalidEntity(contentHash: Hash): Hex {
  return `0x9324ae46${contentHash.slice(-40).padStart(64, '0')}`
}

function errorText(text: string): Hex {
  const hex = Array.from(stringToBytes(text), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `0x08c379a0${word(0x20)}${word(text.length)}${hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')}`
}
