import type { Provenance } from '#lib/core/entities/execution/run-on-chain.ts'

/** Values of one path of a connector, as the API returns them. */
export interface Stream {
  readonly path: string
  readonly data: readonly number[]
}

/** The result of running a connector. Plain data, sent from server to browser. */
export type Run =
  | {
      readonly state: 'particles'
      /** All of them, or the first few when delivered with a page. */
      readonly streams: readonly Stream[]
      readonly paths: number
    }
  /** The connector answered that it does not generate here, for instance because its condition is not met. */
  | { readonly state: 'rejected'; readonly message: string }
  | { readonly state: 'unknown' }
  /** The simulator or the request failed. */
  | { readonly state: 'unavailable'; readonly message: string }

/** The result of a run on chain, or of trying one. */
export type ChainRunState =
  | (Extract<Run, { state: 'particles' | 'rejected' }> & { readonly provenance: Provenance })
  | { readonly state: 'unknown'; readonly provenance: Provenance }
  /** The chain has no such block any more, or the node has pruned its state. */
  | { readonly state: 'block_gone' | 'state_gone' }
  | { readonly state: 'unavailable'; readonly message: string }

/** Message of a failed request. */
export const UNAVAILABLE = 'The simulator did not answer.'

export const MIN_PARTICLES = 1
export const MAX_PARTICLES = 65_536
const DEFAULT_PARTICLES = 64

/** A page as delivered carries at most this much of a run; the script fetches the rest. */
export const PAGE_PARTICLES = 512
export const PAGE_STREAMS = 24
/** Characters of all paths together, of more than one. */
export const PAGE_PATHS = 32_768

/** A count from user input, clamped to 1..65,536; the default for anything that is not a number. */
export function particlesCount(text: string | undefined): number {
  const value = Number.parseInt(text ?? '', 10)
  if (!Number.isFinite(value)) return DEFAULT_PARTICLES
  return Math.min(MAX_PARTICLES, Math.max(MIN_PARTICLES, value))
}
