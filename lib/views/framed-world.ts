import type { WorldLimits } from '#lib/protocol/world-manifest.ts'

/** Data for a World's frame. Plain data from the World's descriptor, never from its messages. */
export interface FramedWorld {
  readonly id: string
  readonly name: string
  /** Entry page: of this site, or absolute where Worlds have an origin of their own. */
  readonly entryUrl: string
  /** As the manifest spells them. */
  readonly permissions: readonly string[]
  readonly valueLimits?: WorldLimits | undefined
  /** Picture to show until the World does. */
  readonly previewUrl?: string | undefined
  /** The World names neither formats nor connectors, and so may never speak to the page. */
  readonly autonomous?: boolean | undefined
}

/**
 * What a frame is doing.
 *
 * - `waiting`: not started.
 * - `loading`: its page is on the way.
 * - `running`: its page is there; `ready` once the World listens to this page.
 * - `stopped`: the frame was removed, by the reader or because the World flooded the page.
 */
export type FramePhase = 'waiting' | 'loading' | 'running' | 'ready' | 'stopped'
