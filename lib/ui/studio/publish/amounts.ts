const ETHER = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3, maximumFractionDigits: 9 })
const GAS = new Intl.NumberFormat('en-US')

/** `0.00061 ETH`, to three digits: amounts of a plan are estimates. */
export function etherText(wei: bigint): string {
  if (wei === 0n) return '0 ETH'
  const ether = Number(wei) / 1e18
  return ether < 1e-8 ? 'less than 0.00000001 ETH' : `${ETHER.format(ether)} ETH`
}

/** `612,000`, to thousands. */
export function gasText(gas: bigint): string {
  return GAS.format(gas < 1000n ? gas : ((gas + 500n) / 1000n) * 1000n)
}
