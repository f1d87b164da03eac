import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { bytesToHex, createAddressFromString, hexToBytes } from '@ethereumjs/util'
import type { Address, Hex } from '../../lib/domain/entity.ts'

const GAS_LIMIT = 30_000_000n

/**
 * The code that a contract leaves at an address of a chain: both are in it, so the constructor is run for them, in an EVM
 * of our own.
 *
 * @param creation Creation code with its arguments.
 * @throws Error when the constructor fails.
 */
export async function deployedCode(creation: Hex, address: Address, chainId: number): Promise<Hex> {
  const evm = await createEVM({
    common: createCustomCommon({ chainId }, Mainnet, { hardfork: Hardfork.Cancun }),
  })
  const { exceptionError, returnValue } = await evm.runCode({
    code: hexToBytes(creation),
    to: createAddressFromString(address),
    gasLimit: GAS_LIMIT,
  })
  if (exceptionError !== undefined) throw new Error(`The constructor failed: ${exceptionError.error}`)
  return bytesToHex(returnValue)
}
