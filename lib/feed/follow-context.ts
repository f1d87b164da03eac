import type { ChainSource } from './chain-source.ts'
import type { Occurrence } from './occurrence.ts'
import type { Pause } from './pause.ts'
import type { RequestSize } from './request-size.ts'
import type { FeedState, Followed } from './state.ts'
import type { Writer } from './writer.ts'

/** What following a chain needs of the world. */
export interface FollowContext {
  readonly source: ChainSource
  readonly writer: Pick<Writer, 'transaction'>
  readonly followed: Followed
  readonly nowMs: () => number
  /** Called between the parts of long work. */
  readonly pause: Pause
  /** Told about publications that nothing on chain proves, as `<kind>/<name>: <reason>`. */
  readonly onUnverified: (names: readonly string[]) => void
  /** Told what the chain was read to hold, once that is in the tables. */
  readonly onPublished?: (occurrences: readonly Occurrence[]) => void
  /** Blocks asked for at once below finality. */
  readonly range: RequestSize
}

/** What one step found; `more` asks for the next step at once. */
export type StepOutcome =
  | { readonly kind: 'more' | 'idle' | 'behind'; readonly state: FeedState }
  | { readonly kind: 'withdrawn'; readonly state: FeedState; readonly depth: number }
  | { readonly kind: 'frozen'; readonly state: FeedState; readonly reason: string }
