/**
 * Keys that the usage of one client counts under, the narrowest first. Undefined for programs on this machine, which are
 * not limited.
 */
export type Principal = readonly string[]

/** A signed-in account. */
interface PrincipalAccount {
  readonly address: string
  /** Accounts are free: others count with the address that they come from. */
  readonly isEstablished?: boolean | undefined
}

/**
 * Returns the principal of a request: its account, else its client address, an IPv6 network of 64 bits also with the 48 bits
 * around it, which one customer may have as a whole.
 *
 * @param client Rate-limit key of the client address.
 */
export function principalOf(client: string | undefined, account?: PrincipalAccount): Principal | undefined {
  const networks = client === undefined ? [] : networksOf(client)
  if (account === undefined) return client === undefined ? undefined : networks
  const own = `account ${account.address}`
  return account.isEstablished === true ? [own] : [own, ...networks]
}

/** Whether usage of one counts for the other. */
export function sharesKey(a: Principal | undefined, b: Principal | undefined): boolean {
  return a !== undefined && b !== undefined && a.some((key) => b.includes(key))
}

function networksOf(client: string): Principal {
  const [network, bits] = client.split('::/')
  if (bits !== '64' || network === undefined) return [client]
  return [client, `${network.split(':').slice(0, 3).join(':')}::/48`]
}
