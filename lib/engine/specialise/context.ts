import type { Algebra } from './algebra.ts'
import type { WrapperFrame } from './frame.ts'
import type { Program } from './program.ts'

/** What is the same for every block of one translation. */
export interface Context {
  readonly program: Program
  readonly args: readonly number[]
  readonly frame: WrapperFrame
  readonly algebra: Algebra
}
