import { numberToHex, type PublicClient } from 'viem'
import { parseAddress } from '../domain/address.ts'
import type { Hex } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { askNode } from './dev-chain.ts'

const ETHER = 10n ** 18n
/** Below this an account is filled up again. */
const ENOUGH = 5n * ETHER
const FULL = 100n * ETHER

/**
 * Gives an account coins of the development chain, which are worth nothing; one that has enough is left alone.
 *
 * @throws Failure('invalid_request') for what is no address, Failure('chain_unavailable').
 */
export async function fundAccount(client: PublicClient, text: string): Promise<void> {
  const address = parseAddress(text)
  if (address === undefined) {
    throw new Failure('invalid_request', 'The account must be an address: 0x and 40 hex digits')
  }
  const balance = BigInt((await askNode(client, 'eth_getBalance', [address, 'latest'])) as Hex)
  if (balance < ENOUGH) await askNode(client, 'anvil_setBalance', [address, numberToHex(FULL)])
}
