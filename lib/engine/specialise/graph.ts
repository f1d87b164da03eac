import type { State, Variables } from './state.ts'
import type { Facts, Term, Value } from './value.ts'

/** One way from a block into another. */
export interface Edge {
  readonly to: Node
  readonly state: State
}

export type Exit =
  | { readonly kind: 'reverted' }
  | { readonly kind: 'returned'; readonly value: Value }
  | { readonly kind: 'jump'; readonly edge: Edge; readonly decided: boolean }
  | { readonly kind: 'branch'; readonly condition: Term; readonly then: Edge; readonly otherwise: Edge }

/** A block of code in one context: code reached in different contexts is laid out more than once. */
export interface Node {
  readonly id: number
  readonly pc: number
  /** What the context is: place, height of the stack, labels on it. */
  readonly place: string
  /** Which turn of which unrolled loop. */
  readonly turns: readonly Turn[]
  /** From where it was reached first. */
  readonly parent: Node | undefined
  /** Instructions on the shortest way here. */
  readonly depth: number
  readonly variables: Variables
  readonly arrivals: Map<string, State>
  visits: number
  entry?: State
  exit?: Exit
  /** What is known where the block ends. */
  facts?: Facts
}

/** A turn of an unrolled loop, which begins at `place` with a stack of `height`. */
export interface Turn {
  readonly place: string
  readonly height: number
  readonly count: number
}

export function edgesOf(exit: Exit | undefined): readonly Edge[] {
  if (exit?.kind === 'jump') return [exit.edge]
  return exit?.kind === 'branch' ? [exit.then, exit.otherwise] : []
}
