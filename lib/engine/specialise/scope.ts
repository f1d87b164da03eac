import type { Facts, Term, Value } from './value.ts'

/** What the text of a formula may use. */
export interface Scope {
  readonly facts: Facts
  /** The text of a value, computed if it was not yet. */
  readonly value: (value: Value) => string
  readonly isReady: (term: Term) => boolean
  /** The name of the table that a term looks up in. */
  readonly table: (term: Term) => string
}
