import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { bytesToHex, createAddressFromString, hexToBytes } from '@ethereumjs/util'
import type { PublicClient } from 'viem'
import { registryCreation, runnerCreation } from '#lib/chain/deploy.ts'
import type { Address, Hex } from '#lib/protocol/entity.ts'

/**
 * Compares the code of two deployed contracts with this project's, byte by byte.
 *
 * @returns What is wrong, in sentences for the operator; empty when both are ours and belong together.
 * @throws Error when the node does not answer.
 */
export async function verifyDeployment(
  node: Pick<PublicClient, 'getCode' | 'getChainId'>,
  { registry, runner }: { readonly registry: Address; readonly runner: Address },
): Promise<readonly string[]> {
  const chainId = await node.getChainId()
  const problems = await Promise.all([
    compare(node, 'registry', registry, await deployedCode(registryCreation(), registry, chainId)),
    compare(node, 'runner', runner, await deployedCode(runnerCreation(registry), runner, chainId)),
  ])
  return problems.flatMap((problem) => problem ?? [])
}

async function compare(
  node: Pick<PublicClient, 'getCode'>,
  name: 'registry' | 'runner',
  address: Address,
  expected: Hex,
): Promise<string | undefined> {
  const actual = await node.getCode({ address })
  if (actual === undefined || actual === '0x')
    return `There is no code at ${address}, where the ${name} should be.`
  if (actual === expected) return undefined
  return name === 'registry'
    ? `The code at ${address} is not the registry of this version.`
    : `The code at ${address} is not the runner of this version for that registry.`
}

const GAS_LIMIT = 30_000_000n

/**
 * The code that a contract leaves at an address of a chain: both are in it, so the constructor is run for them, in an EVM
 * of our own.
 *
 * @param creation Creation code with its arguments.
 * @throws Error when the constructor fails.
 */
async function deployedCode(creation: Hex, address: Address, chainId: number): Promise<Hex> {
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
