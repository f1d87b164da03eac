import type { Artifact, CodeArtifact, ConnectorArtifact } from '#lib/protocol/artifact.ts'
import type { PositionedRunningInstance, RunningInstance } from '#lib/protocol/definition.ts'
import type { EntityKind, Hash } from '#lib/protocol/entity.ts'
import { type DimensionVisit, MAX_POSITIONS, walkDimensions } from '#lib/protocol/positions.ts'
import { references } from '#lib/protocol/references.ts'

/** A transformation with its arguments. */
export interface Call {
  readonly code: CodeArtifact
  readonly args: readonly number[]
  /** Content hash and arguments: calls with equal keys are equal. */
  readonly key: string
}

/** The calls that a dimension cycles through, at least one. */
export interface CallList {
  readonly calls: readonly Call[]
  /**
   * How the Runner calls: several steps of one transformation, several steps of one transformation with several
   * argument lists, or one step a call.
   */
  readonly mode: 'range' | 'cycle' | 'each'
  readonly key: string
}

export function callList(calls: readonly { code: CodeArtifact; args: readonly number[] }[]): CallList {
  const keyed = calls.map(({ code, args }) => ({ code, args, key: `${code.contentHash}(${args.join()})` }))
  const first = calls[0]!
  const same = calls.every(
    ({ code, args }) => code.contentHash === first.code.contentHash && args.length === first.args.length,
  )
  // Without arguments every call is the same one.
  const mode = !same ? 'each' : calls.length === 1 || first.args.length === 0 ? 'range' : 'cycle'
  return { calls: keyed, mode, key: keyed.map(({ key }) => key).join('') }
}

/** A connector with all connectors below it as one flat list, names and static running instances resolved. */
export interface Plan {
  /** Static start of the indices, if any. */
  readonly start: number | undefined
  readonly leaves: number
  /** Characters of the paths of all leaves together. */
  readonly pathLength: number
  /** One a dimension of the expanded connector, in the order of evaluation: position 1, 2, 3, …; generated where they are many. */
  readonly nodes: Iterable<PlanNode>
}

/** One dimension of the expanded connector. */
export interface PlanNode {
  readonly position: number
  /** Number of dimensions above. */
  readonly depth: number
  /** Path of the leaf; undefined when the dimension has a composite. */
  readonly path: string | undefined
  /** Evaluated before the dimension, the first one of its connector. */
  readonly condition: PlannedCondition | undefined
  /** Undefined for a constant. */
  readonly calls: CallList | undefined
  /** Static running instance, which the caller must not override. */
  readonly fixed: RunningInstance | undefined
  /** Static instance 0 of the composite: the default. */
  readonly entrance: RunningInstance | undefined
}

export interface PlannedCondition {
  /** The connector that has the condition. */
  readonly connector: string
  readonly code: CodeArtifact
  readonly args: readonly number[]
}

/** @throws Error when an artifact is missing. */
export function makePlan(rootHash: Hash, artifacts: readonly Artifact[]): Plan {
  const byHash = new Map(artifacts.map((artifact) => [artifact.contentHash, artifact] as const))
  const find = (hash: Hash): Artifact => {
    const artifact = byHash.get(hash)
    if (artifact === undefined) throw new Error(`The request lacks the artifact ${hash}`)
    return artifact
  }
  const artifactOf = (hash: Hash) => find(hash) as ConnectorArtifact
  const root = artifactOf(rootHash)
  const start = root.definition.staticRi.find(({ position }) => position === 0)?.startPoint
  const generated = { [Symbol.iterator]: () => planNodes(root, artifactOf, find) }
  let nodes: PlanNode[] | undefined = []
  let pathLength = 0
  for (const node of generated) {
    pathLength += node.path?.length ?? 0
    // A small definition can expand to more than is worth storing.
    if (nodes?.length === MAX_POSITIONS) nodes = undefined
    nodes?.push(node)
  }
  return { start, leaves: root.leafCount, pathLength, nodes: nodes ?? generated }
}

function* planNodes(
  root: ConnectorArtifact,
  artifactOf: (hash: Hash) => ConnectorArtifact,
  find: (hash: Hash) => Artifact,
): Generator<PlanNode, void> {
  const factsByConnector = new Map<ConnectorArtifact, ConnectorFacts>()
  for (const visit of walkDimensions(root, artifactOf)) {
    const { connector, dimension, position, depth, next } = visit
    let facts = factsByConnector.get(connector)
    if (facts === undefined) {
      facts = connectorFacts(connector, find)
      factsByConnector.set(connector, facts)
    }
    yield {
      position,
      depth,
      path: next === undefined ? visit.path : undefined,
      condition: dimension === 0 ? facts.condition : undefined,
      calls: facts.calls[dimension],
      fixed: fixedInstance(factsByConnector.get(root)!, facts, visit),
      entrance: next?.definition.staticRi.find((one) => one.position === 0),
    }
  }
}

interface ConnectorFacts {
  readonly calls: readonly (CallList | undefined)[]
  readonly condition: PlannedCondition | undefined
  readonly instances: ReadonlyMap<number, PositionedRunningInstance>
}

function connectorFacts(connector: ConnectorArtifact, find: (hash: Hash) => Artifact): ConnectorFacts {
  const { definition, dependencies } = connector
  const hashByKey = new Map<string, Hash>()
  references(definition).forEach(({ kind, name }, index) => {
    hashByKey.set(`${kind}/${name}`, dependencies[index]!.contentHash)
  })
  const codeOf = (kind: EntityKind, name: string) => find(hashByKey.get(`${kind}/${name}`)!) as CodeArtifact
  return {
    calls: definition.dimensions.map(({ transformations }) =>
      transformations.length === 0
        ? undefined
        : callList(transformations.map(({ name, args }) => ({ code: codeOf('transformation', name), args }))),
    ),
    condition:
      definition.conditionName === ''
        ? undefined
        : {
            connector: connector.name,
            code: codeOf('condition', definition.conditionName),
            args: definition.conditionArgs,
          },
    instances: new Map(definition.staticRi.map((one) => [one.position, one] as const)),
  }
}

function fixedInstance(
  root: ConnectorFacts,
  holder: ConnectorFacts,
  { position, dimension }: DimensionVisit,
): RunningInstance | undefined {
  if (holder === root) return root.instances.get(position)
  // Static instances of connectors below the root refer to their own dimensions only.
  return holder.instances.get(dimension + 1) ?? root.instances.get(position)
}
