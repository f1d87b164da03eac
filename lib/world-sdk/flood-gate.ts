/** `closing` once for each time the limit is reached, then `closed` until the second is over. */
export type Passage = 'open' | 'closing' | 'closed'

/**
 * Counts messages and lets so many through in each second.
 *
 * @param now Milliseconds of a clock that only goes forward.
 */
export function createFloodGate(
  perSecond: number,
  now: () => number = () => performance.now(),
): () => Passage {
  let began = now()
  let passed = 0
  return () => {
    const time = now()
    if (time - began >= 1000) {
      began = time
      passed = 0
    }
    passed += 1
    if (passed <= perSecond) return 'open'
    return passed === perSecond + 1 ? 'closing' : 'closed'
  }
}
