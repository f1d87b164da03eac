import { grouped } from './grouped.ts'

/**
 * Looks at something that changes elsewhere, for all who ask. What they get was found by a look that began at most
 * `trustMs` before they asked, so that many who ask cost hardly more than one; at once where there is such a look.
 */
export function sharedLook<T>(look: () => Promise<T>, trustMs: number): () => T | Promise<T> {
  let latest: { readonly begun: number; readonly found: T } | undefined
  const lookAgain = grouped(async () => {
    const begun = performance.now()
    latest = { begun, found: await look() }
    return latest.found
  })
  let ahead = false
  const lookAhead = async () => {
    ahead = true
    // Who needs it will look, and hear of it.
    await lookAgain().catch(() => undefined)
    ahead = false
  }
  return () => {
    const age = latest === undefined ? Number.POSITIVE_INFINITY : performance.now() - latest.begun
    if (latest === undefined || age > trustMs) return lookAgain()
    // While questions keep coming, the next look is there before this one is too old, and nobody waits.
    if (age > trustMs / 2 && !ahead) void lookAhead()
    return latest.found
  }
}
