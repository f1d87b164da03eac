import type { NodeRef } from './node-ref.ts'

/**
 * - `error`: the registry or the server would refuse it.
 * - `warning`: valid, but probably a mistake.
 */
export type Severity = 'error' | 'warning'

/** Which part of a node a problem is about; absent for the node as a whole. */
export type Field =
  | { readonly name: 'name' }
  | { readonly name: 'source' }
  | { readonly name: 'args'; readonly index: number }
  | { readonly name: 'startPoint' }
  | { readonly name: 'transformationShift' }

/** Something wrong with a document, in words for its author, at the node it is about. */
export interface Problem {
  readonly at: NodeRef
  readonly field?: Field
  readonly severity: Severity
  /** For what can be offered to mend it, and for tests. */
  readonly code: ProblemCode
  /** Sentence about the problem and, where that is not plain, what to do. */
  readonly sentence: string
}

export type ProblemCode =
  | 'name_invalid'
  | 'name_repeated'
  | 'name_published'
  | 'source_blank'
  | 'source_too_long'
  | 'no_dimensions'
  | 'part_unnamed'
  | 'part_missing'
  | 'part_of_itself'
  | 'part_broken'
  | 'argument_invalid'
  | 'arguments_count'
  | 'slot_missing'
  | 'slot_without_composite'
  | 'too_many'
  | 'too_many_leaves'
  | 'too_deep'
  | 'instance_invalid'
  | 'instance_unused'
  | 'instance_shadowed'
  | 'run_stopped'
