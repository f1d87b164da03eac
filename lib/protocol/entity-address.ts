import { encodeAbiParameters, hexToBytes, keccak256, stringToHex } from 'viem/utils'
import type { Address } from './entity.ts'

/** Init code that the registry puts in front of an entity's code. */
const INIT = hexToBytes('0x600b380380600b5f395ff3')

/** Address that the registry gives to a name with its code (CREATE2). */
export function entityAddress(registry: Address, kind: number, name: string, code: Uint8Array): Address {
  const salt = keccak256(
    encodeAbiParameters([{ type: 'uint8' }, { type: 'bytes32' }], [kind, keccak256(stringToHex(name))]),
  )
  const init = new Uint8Array(INIT.length + code.length)
  init.set(INIT)
  init.set(code, INIT.length)
  const hash = keccak256(`0xff${registry.slice(2)}${salt.slice(2)}${keccak256(init).slice(2)}`)
  return `0x${hash.slice(-40)}`
}
