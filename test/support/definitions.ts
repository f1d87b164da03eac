import type { BuiltArtifact, BuiltConnector, CodeArtifact } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { ConnectorDefinition, Dimension } from '#lib/protocol/definition.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'

/** Definition of a test, with defaults for what it leaves out, in the shape of the API's request. */
export interface ConnectorSketch {
  readonly name: string
  readonly dimensions: readonly DimensionSketch[]
  readonly condition_name?: string
  readonly condition_args?: readonly number[]
  readonly static_ri?: Readonly<Record<string, { start_point: number; transformation_shift: number }>>
}

export interface DimensionSketch {
  readonly transformations?: readonly { name: string; args?: readonly number[] }[]
  readonly composite?: string
  readonly bindings?: Readonly<Record<string, string>>
}

/** Fills in the normal form of a definition. */
export function define(sketch: ConnectorSketch): ConnectorDefinition {
  return {
    name: sketch.name,
    dimensions: sketch.dimensions.map(dimension),
    conditionName: sketch.condition_name ?? '',
    conditionArgs: sketch.condition_args ?? [],
    staticRi: Object.entries(sketch.static_ri ?? {})
      .map(([position, ri]) => ({
        position: Number(position),
        startPoint: ri.start_point,
        transformationShift: ri.transformation_shift,
      }))
      .sort((a, b) => a.position - b.position),
  }
}

function dimension(sketch: DimensionSketch): Dimension {
  return {
    transformations: (sketch.transformations ?? []).map(({ name, args }) => ({ name, args: args ?? [] })),
    composite: sketch.composite ?? '',
    bindings: Object.entries(sketch.bindings ?? {})
      .map(([slot, name]) => ({ slot: Number(slot), name }))
      .sort((a, b) => a.slot - b.slot),
  }
}

/** A registry in memory: names of three kinds, resolved to the artifacts they stand for. */
export class Shelf {
  readonly #artifacts = new Map<string, BuiltArtifact>()

  readonly lookup = (kind: EntityKind, name: string): BuiltArtifact | undefined =>
    this.#artifacts.get(`${kind}/${name}`)

  /** Everything on the shelf, for a run of any of it. */
  all(): BuiltArtifact[] {
    return [...this.#artifacts.values()]
  }

  add<A extends BuiltArtifact>(artifact: A): A {
    this.#artifacts.set(`${artifact.kind}/${artifact.name}`, artifact)
    return artifact
  }

  /** Adds a code entity whose runtime is only a placeholder. */
  code(kind: 'transformation' | 'condition', name: string, argsCount: number): CodeArtifact {
    const runtime = '0x00'
    const contentHash = codeContentHash(kind, name, argsCount, runtime)
    return this.add({ kind, name, argsCount, runtime, contentHash })
  }

  connector(sketch: ConnectorSketch): BuiltConnector {
    return this.add(buildConnector(define(sketch), this.lookup))
  }
}

/** `A:0` for every leaf, in particle order. */
export function leafLabels(connector: BuiltConnector): string[] {
  return connector.leaves.map((leaf) => `${leaf.connector}:${leaf.dimension}`)
}
