/** Ids that development chains go by: anvil and Hardhat, Ganache. */
const DEV_CHAIN_IDS: readonly number[] = [31_337, 1337]

/** Whether a chain is for development by its id. Nothing on it is worth anything. */
export function isDevChainId(chainId: number): boolean {
  return DEV_CHAIN_IDS.includes(chainId)
}

/**
 * Whether a host is this machine itself.
 *
 * @param host A name or an address, as a `URL` or as a socket spells it.
 */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '').replace(/^::ffff:/i, '')
  return plain === 'localhost' || plain === '::1' || /^127(?:\.\d{1,3}){3}$/.test(plain)
}
