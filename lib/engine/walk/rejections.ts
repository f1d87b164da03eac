import { keccak256, stringToBytes } from 'viem/utils'
import type { Hash, Hex } from '../../domain/entity.ts'

/** Revert data of the Runner itself, as `contracts/Errors.sol` has it. */

const word = (value: number | bigint) => value.toString(16).padStart(64, '0')

export const OVERFLOW: Hex = `0x4e487b71${word(0x11)}`

export const NO_PARTICLES: Hex = errorText('number of particles must be greater than 0')

export const conditionNotMet = (connector: string): Hex =>
  `0xf54d97ab${keccak256(stringToBytes(connector)).slice(2)}`

export const staticOverride = (position: number): Hex => `0xb57b8e82${word(position)}`

export const duplicate = (position: number): Hex => `0x8e03f168${word(position)}`

export const notSorted = (previous: number, position: number): Hex =>
  `0xc17133fa${word(previous)}${word(position)}`

/** Code that answered what its kind must not, at the address that content has in a simulation. */
export const invalidEntity = (contentHash: Hash): Hex =>
  `0x9324ae46${contentHash.slice(-40).padStart(64, '0')}`

function errorText(text: string): Hex {
  const hex = Array.from(stringToBytes(text), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `0x08c379a0${word(0x20)}${word(text.length)}${hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')}`
}
