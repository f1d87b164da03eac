import { getAddress } from 'viem/utils'
import type { Address } from './entity.ts'

const PATTERN = /^(?:0[xX])?([0-9a-fA-F]{40})$/

/**
 * Reads an address in any spelling that clients send: with or without `0x`, any case. Checksums are not
 * judged: an address is data, and upper and lower case forms of it are common.
 *
 * @returns the one spelling used inside the code, or undefined when `text` is not an address.
 */
export function parseAddress(text: string): Address | undefined {
  const digits = PATTERN.exec(text)?.[1]
  return digits === undefined ? undefined : `0x${digits.toLowerCase()}`
}

/** Lower case without `0x`: how the chain API spells owners. */
export function bareAddress(address: Address): string {
  return address.slice(2)
}

/** Mixed case of EIP-55: how the services API and wallets spell addresses. */
export function checksumAddress(address: Address): string {
  return getAddress(address)
}
