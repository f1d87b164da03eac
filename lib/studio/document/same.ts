/**
 * Deep equality of plain JSON, whatever the order of the fields: a server or a schema may return them in another one.
 * Values that are the same object are not walked.
 */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => same(item, b[index]))
    )
  }
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every(
      (key) =>
        Object.hasOwn(b, key) &&
        same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
    )
  )
}

/** `next` with each item that equals an earlier one replaced by it, so that memoised components do not render again. */
export function reuse<T extends { readonly key: string }>(
  before: readonly T[],
  next: readonly T[],
): readonly T[] {
  const old = new Map(before.map((item) => [item.key, item]))
  const items = next.map((item) => {
    const known = old.get(item.key)
    return known !== undefined && same(known, item) ? known : item
  })
  return items.length === before.length && items.every((item, index) => item === before[index])
    ? before
    : items
}
