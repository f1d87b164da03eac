/** Charge of a chain for a transaction, beside gas times its price. */
export type FeeModel =
  /** Gas times price is all. */
  | 'gas'
  /** A fee for the data on Ethereum comes on top; the predeploy `GasPriceOracle` returns it. */
  | 'op-stack'
  /** Data on Ethereum is charged as gas of this chain; only `eth_estimateGas` returns it. */
  | 'arbitrum'

/** Facts of a chain that need no request to its nodes. */
export interface ChainFacts {
  readonly id: number
  readonly name: string
  /** Symbol of the currency that pays for gas, which has 18 decimals. */
  readonly currency: string
  /** Block explorers without a trailing slash; pages link to the first. */
  readonly explorers: readonly string[]
  /** Milliseconds between blocks; undefined where blocks come on demand, or it is not known. */
  readonly blockTimeMs: number | undefined
  /** Blocks below the head that count as safe and as finalized where a node has no such tags. */
  readonly depths: { readonly safe: number; readonly finalized: number }
  readonly fees: FeeModel
  /** Calldata of a transaction costs at least 10 gas a zero byte and 40 any other (EIP-7623). */
  readonly calldataFloor: boolean
  /** Most gas of one transaction, where the chain limits it below the block's. */
  readonly maxTransactionGas?: bigint
  /** A public node that the chain's makers name to wallets. */
  readonly publicRpc?: string
  /** Page that gives away test currency. */
  readonly faucet?: string
}

const ETHEREUM = {
  currency: 'ETH',
  blockTimeMs: 12_000,
  // One epoch, and two.
  depths: { safe: 32, finalized: 64 },
  fees: 'gas',
  calldataFloor: true,
  // EIP-7825
  maxTransactionGas: 16_777_216n,
} as const

/*
 * A rollup is final when Ethereum is, whatever its own block time: its batch is posted within some minutes, and final 13
 * to 20 minutes after. Where a node does not say, 20 minutes pass for safe and 40 for finalized.
 */
const ROLLUP_SAFE_MS = 20 * 60_000
const ROLLUP_FINALIZED_MS = 40 * 60_000

function rollup(blockTimeMs: number) {
  const depths = { safe: ROLLUP_SAFE_MS / blockTimeMs, finalized: ROLLUP_FINALIZED_MS / blockTimeMs }
  return { currency: 'ETH', blockTimeMs, depths, calldataFloor: false } as const
}

const OP_STACK = { ...rollup(2_000), fees: 'op-stack', calldataFloor: true } as const
const ARBITRUM = { ...rollup(250), fees: 'arbitrum', maxTransactionGas: 32_000_000n } as const
const POLYGON = {
  currency: 'POL',
  blockTimeMs: 2_000,
  depths: { safe: 100, finalized: 200 },
  fees: 'gas',
  calldataFloor: false,
} as const
const DEVELOPMENT = {
  name: 'Development chain',
  currency: 'ETH',
  explorers: [],
  blockTimeMs: undefined,
  depths: { safe: 32, finalized: 64 },
  fees: 'gas',
  calldataFloor: false,
} as const

const CHAINS: readonly ChainFacts[] = [
  { id: 1, name: 'Ethereum', explorers: ['https://etherscan.io', 'https://eth.blockscout.com'], ...ETHEREUM },
  {
    id: 11_155_111,
    name: 'Sepolia',
    explorers: ['https://sepolia.etherscan.io', 'https://eth-sepolia.blockscout.com'],
    faucet: 'https://cloud.google.com/application/web3/faucet/ethereum/sepolia',
    ...ETHEREUM,
  },
  {
    id: 8453,
    name: 'Base',
    publicRpc: 'https://mainnet.base.org',
    explorers: ['https://basescan.org', 'https://base.blockscout.com'],
    ...OP_STACK,
  },
  {
    id: 84_532,
    name: 'Base Sepolia',
    publicRpc: 'https://sepolia.base.org',
    explorers: ['https://sepolia.basescan.org', 'https://base-sepolia.blockscout.com'],
    faucet: 'https://docs.base.org/base-chain/tools/network-faucets',
    ...OP_STACK,
  },
  {
    id: 10,
    name: 'OP Mainnet',
    publicRpc: 'https://mainnet.optimism.io',
    explorers: ['https://optimistic.etherscan.io', 'https://explorer.optimism.io'],
    ...OP_STACK,
  },
  {
    id: 11_155_420,
    name: 'OP Sepolia',
    publicRpc: 'https://sepolia.optimism.io',
    explorers: ['https://sepolia-optimism.etherscan.io', 'https://testnet-explorer.optimism.io'],
    faucet: 'https://console.optimism.io/faucet',
    ...OP_STACK,
  },
  {
    id: 42_161,
    name: 'Arbitrum One',
    publicRpc: 'https://arb1.arbitrum.io/rpc',
    explorers: ['https://arbiscan.io', 'https://arbitrum.blockscout.com'],
    ...ARBITRUM,
  },
  {
    id: 421_614,
    name: 'Arbitrum Sepolia',
    publicRpc: 'https://sepolia-rollup.arbitrum.io/rpc',
    explorers: ['https://sepolia.arbiscan.io', 'https://arbitrum-sepolia.blockscout.com'],
    faucet: 'https://www.alchemy.com/faucets/arbitrum-sepolia',
    ...ARBITRUM,
  },
  {
    id: 137,
    name: 'Polygon',
    publicRpc: 'https://polygon-rpc.com',
    explorers: ['https://polygonscan.com', 'https://polygon.blockscout.com'],
    ...POLYGON,
  },
  {
    id: 80_002,
    name: 'Polygon Amoy',
    publicRpc: 'https://rpc-amoy.polygon.technology',
    explorers: ['https://amoy.polygonscan.com'],
    faucet: 'https://faucet.polygon.technology',
    ...POLYGON,
  },
  { id: 1337, ...DEVELOPMENT },
  { id: 31_337, ...DEVELOPMENT },
]

const BY_ID: ReadonlyMap<number, ChainFacts> = new Map(CHAINS.map((chain) => [chain.id, chain]))

/** Ids of all known chains. */
export const KNOWN_CHAIN_IDS: readonly number[] = [...BY_ID.keys()]

/**
 * Returns what is known of a chain. Of an unknown one it assumes what does least harm: blocks become final as late as on
 * the fastest known chain, because calling a block final too early stops the indexer at the next reorg.
 */
export function chainFacts(id: number): ChainFacts {
  return (
    BY_ID.get(id) ?? {
      id,
      name: `Chain ${id}`,
      currency: 'ETH',
      explorers: [],
      blockTimeMs: undefined,
      depths: ARBITRUM.depths,
      fees: 'gas',
      calldataFloor: true,
    }
  )
}
