import type { Config } from '../../lib/config.ts'
import type { Address } from '../../lib/domain/entity.ts'
import type { TestChain } from './chain.ts'

/** What a program is told of a chain and of the contracts on it. */
export function chainConfig(chain: TestChain) {
  return {
    chainRpcUrl: chain.url,
    chainId: chain.chainId,
    registryAddress: lower(chain.registry),
    runnerAddress: lower(chain.runner),
    deploymentBlock: chain.deploymentBlock,
  } satisfies Partial<Config>
}

/** The same, with nobody listening at the address of the chain. */
export const strandedConfig = (chain: TestChain) => ({
  ...chainConfig(chain),
  chainRpcUrl: 'http://127.0.0.1:1',
})

const NO_RUNNER = '0x00000000000000000000000000000000000000fe'

/** The same, with a runner that answers everything, and not as runners do. */
export async function falseRunnerConfig(chain: TestChain) {
  await chain.rpc('anvil_setCode', [NO_RUNNER, '0x600160005260206000f3'])
  return { ...chainConfig(chain), runnerAddress: NO_RUNNER } satisfies Partial<Config>
}

const lower = (address: string) => address.toLowerCase() as Address
