import {
  ContractDecoder,
  EdrContext,
  GENERIC_CHAIN_TYPE,
  genericChainProviderFactory,
  MineOrdering,
  type Provider,
} from '@nomicfoundation/edr'
import { encodeFunctionData } from 'viem'
import { simulatedAddress, simulatedCode } from '../../lib/compute/simulator/machine.ts'
import type { SimulationRequest } from '../../lib/compute/simulator/simulator.ts'
import { runnerAbi } from '../../lib/protocol/abi.ts'
import type { Address } from '../../lib/protocol/entity.ts'

/** A compiled EVM in this process: revm in the library that Hardhat calls. */
export interface CompiledEvm {
  /** Runs `Runner.generateAt`. @returns what it returned */
  run(request: SimulationRequest): Promise<Uint8Array>
}

const GAS = 2n ** 40n
const RUNNER: Address = `0x${'b'.repeat(40)}`
const context = new EdrContext()
let registered: Promise<void> | undefined

/** A new one knows nothing yet but the code that a run needs. */
export async function newCompiledEvm(runner: string, { artifacts }: SimulationRequest): Promise<CompiledEvm> {
  registered ??= context.registerProviderFactory(GENERIC_CHAIN_TYPE, genericChainProviderFactory())
  await registered
  const provider = await context.createProvider(
    GENERIC_CHAIN_TYPE,
    {
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: false,
      bailOnTransactionFailure: false,
      chainId: 31_337n,
      coinbase: new Uint8Array(20),
      defaultTransactionGasLimit: GAS,
      genesisState: [],
      hardfork: 'osaka',
      initialBaseFeePerGas: 0n,
      initialParentBeaconBlockRoot: new Uint8Array(32),
      minGasPrice: 0n,
      mining: { autoMine: true, blockGasLimit: GAS, memPool: { order: MineOrdering.Priority } },
      network: { genesisBlobGas: { gasUsed: 0n, excessGas: 0n }, genesisBlockGasLimit: GAS },
      networkId: 31_337n,
      observability: {},
      ownedAccounts: [],
      precompileOverrides: [],
      transactionGasCap: false,
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} },
    { subscriptionCallback: () => {} },
    new ContractDecoder(),
  )
  await ask(provider, 'hardhat_setCode', [RUNNER, runner])
  for (const artifact of artifacts) {
    await ask(provider, 'hardhat_setCode', [simulatedAddress(artifact.contentHash), simulatedCode(artifact)])
  }
  return {
    async run({ root, particlesCount, dynamicRi }) {
      const data = encodeFunctionData({
        abi: runnerAbi,
        functionName: 'generateAt',
        args: [simulatedAddress(root), particlesCount, dynamicRi],
      })
      const call = { to: RUNNER, data, gas: `0x${GAS.toString(16)}` }
      return Buffer.from((await ask(provider, 'eth_call', [call, 'latest'])).slice(2), 'hex')
    },
  }
}

async function ask(provider: Provider, method: string, params: readonly unknown[]): Promise<string> {
  const { data } = await provider.handleRequest(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  const answer = (typeof data === 'string' ? JSON.parse(data) : data) as { result?: string; error?: unknown }
  if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error).slice(0, 300)}`)
  return String(answer.result)
}
