const integers = new Intl.NumberFormat('en-US')

/** `65536` as `65,536`; the same on server and client whatever the reader's locale. */
export function formatInteger(value: number): string {
  return integers.format(value)
}

/** `1 path`, `3 paths`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatInteger(count)} ${count === 1 ? one : many}`
}

/**
 * Names of so many arguments, abbreviated beyond `most`: a published body may claim four billion.
 *
 * @param names Names of those that have one, by their index.
 */
export function argumentNames(
  count: number,
  most = 4,
  names: readonly (string | undefined)[] = [],
): string[] {
  const nameOf = (index: number) => names[index] ?? `a${index}`
  if (count > most)
    return [...Array.from({ length: most - 2 }, (_, index) => nameOf(index)), '…', nameOf(count - 1)]
  return Array.from({ length: count }, (_, index) => nameOf(index))
}

/** First and last digits of a hash or address, enough to distinguish two: `9f3a1c…07be`. */
export function shortHex(hex: string): string {
  const digits = hex.startsWith('0x') ? hex.slice(2) : hex
  return digits.length <= 12 ? digits : `${digits.slice(0, 6)}…${digits.slice(-4)}`
}
