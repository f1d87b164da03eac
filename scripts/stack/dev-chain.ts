import { foundry } from 'viem/chains'

/**
 * The development chain, as viem sees it. Its transactions are not replaced, and a block comes only with the next
 * transaction: viem's search for a replacement would skip the block that holds the receipt, and wait in vain.
 */
export const devChain = { ...foundry, supportsTransactionReplacementDetection: false }
