import type { ChainSource } from './chain-source.ts'
import type { LogRange } from './log-range.ts'
import type { Occurrence } from './occurrence.ts'
import type { FeedState, Followed } from './state.ts'
import type { Writer } from './writer.ts'

/** What following a chain needs of the world. */
export interface FollowContext {
  readonly source: ChainSource
  readonly writer: Pick<Writer, 'transaction'>
  readonly followed: Followed
  readonly nowMs: () => number
  /** Told about publications whose artifact the chain does not prove. */
  readonly onUnverified: (names: readonly string[]) => void
  /** Told what the chain was read to hold, once that is in the tables. */
  readonly onPublished?: (occurrences: readonly Occurrence[]) => void
  /** Blocks asked for at once below finality. */
  readonly range: LogRange
}

/** What one step found; `more` asks for the next step at once. */
export type StepOutcome =
  | { readonly kind: 'more' | 'idle' | 'behind'; readonly state: FeedState }
  | { readonly kind: 'withdrawn'; readonly state: FeedState; readonly depth: number }
  | { readonly kind: 'frozen'; readonly state: FeedState; readonly reason: string }
