/** Caches the result of a pure function for each object it is called with, for as long as the object lives. */
export function memoizeByObject<T extends WeakKey, R>(compute: (of: T) => R): (of: T) => R {
  const results = new WeakMap<T, { readonly result: R }>()
  return (of) => {
    const known = results.get(of)
    if (known !== undefined) return known.result
    const result = compute(of)
    results.set(of, { result })
    return result
  }
}
