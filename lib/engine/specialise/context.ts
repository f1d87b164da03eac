import type { Algebra } from './algebra.ts'
import type { Layout } from './layout.ts'
import type { Program } from './program.ts'
import type { Term } from './value.ts'

/** What is the same for every block of one translation. */
export interface Context {
  readonly program: Program
  readonly args: readonly number[]
  readonly layout: Layout
  readonly algebra: Algebra
  /** What the step is made of, 32 bits. */
  readonly x: Term
  /** What the first step gave, for the second. */
  readonly again: Term
}
