/**
 * Whether two values of plain data read the same. What is the same object is not looked into, so that comparing two
 * looks at one document costs only where they differ.
 */
export function sameData(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameData(item, b[index]))
  }
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every(
      (key) =>
        Object.hasOwn(b, key) &&
        sameData((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
    )
  )
}

/** `next` with every item that reads as before replaced by the one from before, so that nothing draws it again. */
export function reuse<T extends { readonly key: string }>(
  before: readonly T[],
  next: readonly T[],
): readonly T[] {
  const old = new Map(before.map((item) => [item.key, item]))
  const items = next.map((item) => {
    const known = old.get(item.key)
    return known !== undefined && sameData(known, item) ? known : item
  })
  return items.length === before.length && items.every((item, index) => item === before[index])
    ? before
    : items
}
