/** Keys in byte order, at most `limit` of them, and the cursor that leads on: null unless another row exists. */
export interface Page {
  readonly keys: readonly string[]
  readonly nextAfter: string | null
}

/** Cuts a page out of `limit + 1` rows. */
export function toPage(keys: readonly string[], limit: number): Page {
  const shown = keys.slice(0, limit)
  return { keys: shown, nextAfter: keys.length > limit ? (shown.at(-1) ?? null) : null }
}
