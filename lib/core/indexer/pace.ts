import { chainFacts } from '#lib/protocol/chains.ts'
import { isDevChainId } from '#lib/protocol/dev-chain.ts'

/** Intervals in which the worker reads from its node, in milliseconds. */
export interface Pace {
  /** Between two reads of the head. */
  readonly pollMs: number
  /** The same at least, however many heads the node announces. */
  readonly spacingMs: number
  /** Between two reads of the safe and finalized heights. */
  readonly tagsMs: number
}

const DEVELOPMENT: Pace = { pollMs: 250, spacingMs: 0, tagsMs: 0 }
/** Keeps the monthly cost of polling a range within the smallest plans of providers: see `docs/following.md`. */
const POLL_MS = 15_000
const TAGS_MS = 60_000

/**
 * Returns the pace for a chain, where nothing is configured: as slow as providers' free plans need, and never faster than
 * half a block. A development chain is followed at once.
 *
 * @param pollMs The configured interval.
 */
export function paceOf(chainId: number | undefined, pollMs?: number): Pace {
  if (chainId !== undefined && isDevChainId(chainId)) {
    return { ...DEVELOPMENT, pollMs: pollMs ?? DEVELOPMENT.pollMs }
  }
  const halfBlockMs = chainId === undefined ? 0 : (chainFacts(chainId).blockTimeMs ?? 0) / 2
  const interval = pollMs ?? Math.max(POLL_MS, halfBlockMs)
  // Announced heads of a slow chain are fewer than polls would be.
  const spacingMs = 2 * halfBlockMs >= 10_000 ? Math.min(interval, halfBlockMs) : interval
  return { pollMs: interval, spacingMs, tagsMs: TAGS_MS }
}
