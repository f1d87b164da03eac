import type { Presentation } from '#lib/protocol/presentation.ts'

/** What `npm start` publishes, as plain requests of the chain API, in an order in which each finds what it needs. */
export interface ExampleEntity {
  readonly kind: 'transformation' | 'condition' | 'connector'
  readonly name: string
  readonly request: Readonly<Record<string, unknown>>
  readonly description: string
  /** Name of the same kind that it was made from. */
  readonly madeFrom?: string
}

/** Presentation of an example, its World by slug: the hash of the bundle is known once that is published. */
type ExamplePresentation = Omit<Presentation, 'world'> & { readonly world: string }

/** A piece of the example network. */
export interface ExamplePiece extends ExampleEntity {
  readonly kind: 'connector'
  readonly title: string
  readonly present: ExamplePresentation
}
