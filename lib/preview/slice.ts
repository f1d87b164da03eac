import type { ConnectorDefinition } from '../domain/definition.ts'
import type { EntityKind } from '../domain/entity.ts'

/**
 * The part of an unsaved document that one connector needs. Names that are not in it mean what they mean on the
 * network: what is published, else the draft. What is in it goes before both.
 */
export interface Slice {
  readonly connectors: readonly ConnectorDefinition[]
  readonly bodies: readonly Body[]
}

export interface Body {
  readonly kind: BodyKind
  readonly name: string
  /** Solidity statements. */
  readonly source: string
}

export type BodyKind = 'transformation' | 'condition'

/** A named thing of the document that is not right, and why. */
export interface SliceProblem {
  readonly kind: EntityKind
  readonly name: string
  readonly message: string
}
