/** Values of one path of a connector, as the API gives them. */
export interface Stream {
  readonly path: string
  readonly data: readonly number[]
}

/** What became of running a connector, in the terms a page shows. Plain data: it travels from server to browser. */
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
  /** Nobody knows what the connector would have answered. */
  | { readonly state: 'unavailable'; readonly message: string }

/** What a page says when it cannot ask. */
export const UNAVAILABLE = 'The simulator did not answer.'

export const MIN_PARTICLES = 1
export const MAX_PARTICLES = 65_536
const DEFAULT_PARTICLES = 64

/** A page as delivered carries at most this much of a run; the script fetches the rest. */
export const PAGE_PARTICLES = 512
export const PAGE_STREAMS = 24
/** Characters of all paths together, of more than one. */
export const PAGE_PATHS = 32_768

/** A count as typed by a person, brought into 1..65,536; anything that is not a number gives the default. */
export function particlesCount(text: string | undefined): number {
  const value = Number.parseInt(text ?? '', 10)
  if (!Number.isFinite(value)) return DEFAULT_PARTICLES
  return Math.min(MAX_PARTICLES, Math.max(MIN_PARTICLES, value))
}
