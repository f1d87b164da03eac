/** How much is measured. */
export interface Options {
  /** Default number of particles of a run. */
  readonly particles: number
  /** Rounds that count, of each comparison. */
  readonly rounds: number
}
