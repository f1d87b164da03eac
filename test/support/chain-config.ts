import type { Config } from '#lib/platform/config.ts'
import type { TestChain } from './chain.ts'
import { lower } from './lower.ts'

/** The configuration for a chain and the contracts on it. */
export function chainConfig(chain: TestChain) {
  return {
    chainRpcUrl: chain.url,
    chainId: chain.chainId,
    registryAddress: lower(chain.registry),
    runnerAddress: lower(chain.runner),
    deploymentBlock: chain.deploymentBlock,
  } satisfies Partial<Config>
}

/** The same in the environment of a program, with the database and the secrets that every one needs. */
export function chainEnvironment(
  chain: Pick<TestChain, 'url' | 'chainId' | 'registry' | 'runner' | 'deploymentBlock'>,
  databaseUrl: string,
) {
  return {
    DATABASE_URL: databaseUrl,
    CHAIN_TOKEN_KEY: 'ab'.repeat(32),
    SESSION_KEY: 'cd'.repeat(32),
    CHAIN_RPC_URL: chain.url,
    CHAIN_ID: String(chain.chainId),
    REGISTRY_ADDRESS: chain.registry,
    RUNNER_ADDRESS: chain.runner,
    DEPLOYMENT_BLOCK: String(chain.deploymentBlock),
  }
}

/** The configuration with an unreachable node. */
export function strandedConfig(chain: TestChain) {
  return {
    ...chainConfig(chain),
    chainRpcUrl: 'http://127.0.0.1:1',
  }
}

const NO_RUNNER = '0x00000000000000000000000000000000000000fe'

/** The same with a runner that returns an invalid result for every call. */
export async function falseRunnerConfig(chain: TestChain) {
  await chain.rpc('anvil_setCode', [NO_RUNNER, '0x600160005260206000f3'])
  return { ...chainConfig(chain), runnerAddress: NO_RUNNER } satisfies Partial<Config>
}
