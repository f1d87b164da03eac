/** Ids that development chains go by: anvil and Hardhat, Ganache. */
const DEV_CHAIN_IDS: readonly number[] = [31_337, 1337]

/** Whether a chain is for development by its id. Nothing on it is worth anything. */
export const isDevChainId = (chainId: number): boolean => DEV_CHAIN_IDS.includes(chainId)

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** @param hostname As a `URL` spells it. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.includes(hostname)
