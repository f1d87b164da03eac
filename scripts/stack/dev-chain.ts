import { defineChain } from 'viem'

/**
 * The development chain, as viem sees it; not from `viem/chains`, which loads hundreds of chains. Its transactions are not
 * replaced, and a block comes only with the next transaction: viem's search for a replacement would skip the block that
 * holds the receipt, and wait in vain.
 */
export const devChain = {
  ...defineChain({
    id: 31_337,
    name: 'Foundry',
    nativeCurrency: { decimals: 18, name: 'Ether', symbol: 'ETH' },
    rpcUrls: { default: { http: ['http://127.0.0.1:8545'] } },
  }),
  supportsTransactionReplacementDetection: false,
}
