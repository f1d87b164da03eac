import type { ConnectorDefinition } from './definition.ts'
import type { Hash, Hex } from './entity.ts'

/** A final scalar of a connector: the connector that declares it and the dimension index there. */
export interface Leaf {
  readonly connector: string
  readonly dimension: number
}

/** Compiled body. `runtime` is exactly the code that publication puts on chain. */
export interface CodeArtifact {
  readonly kind: 'transformation' | 'condition'
  readonly name: string
  readonly argsCount: number
  readonly runtime: Hex
  readonly contentHash: Hash
}

/** A connector built against particular artifacts of its dependencies. */
export interface ConnectorArtifact {
  readonly kind: 'connector'
  readonly name: string
  readonly definition: ConnectorDefinition
  /** Every reference in check order, repeats included; see `references` in `references.ts`. */
  readonly dependencies: readonly Dependency[]
  /** Final scalars, repeats included. */
  readonly leafCount: number
  /** Longest chain of connectors below and including this one; 1 for a connector of scalars. */
  readonly depth: number
  readonly formatHash: Hash
  readonly contentHash: Hash
}

export interface Dependency {
  readonly kind: 'connector' | 'transformation' | 'condition'
  readonly name: string
  readonly contentHash: Hash
}

export type Artifact = CodeArtifact | ConnectorArtifact

/** A connector as far as the connectors built over it depend on it. */
export interface ConnectorSummary {
  readonly kind: 'connector'
  readonly name: string
  /** In particle order, repeats included. */
  readonly leaves: readonly Leaf[]
  readonly depth: number
  readonly formatHash: Hash
  readonly contentHash: Hash
}

/** Artifacts that a connector can be built over. */
export type Part = Pick<CodeArtifact, 'kind' | 'name' | 'argsCount' | 'contentHash'> | ConnectorSummary

/** A connector that was just built. Its leaves can be large: they are stored apart and not sent to threads. */
export type BuiltConnector = ConnectorArtifact & ConnectorSummary

export type BuiltArtifact = CodeArtifact | BuiltConnector

/** The artifact alone, as it is stored and run. */
export function withoutLeaves(built: BuiltConnector): ConnectorArtifact
export function withoutLeaves(built: BuiltArtifact): Artifact
export function withoutLeaves(built: BuiltArtifact): Artifact {
  if (built.kind !== 'connector') return built
  const { leaves: _, ...artifact } = built
  return artifact
}
