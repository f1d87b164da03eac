/** How much is measured. */
export interface Options {
  /** Particles of a run, where no other number is said. */
  readonly particles: number
  /** Rounds that count, of each comparison. */
  readonly rounds: number
}
