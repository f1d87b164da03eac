import type { Artifact, CodeArtifact, ConnectorArtifact } from '../../domain/artifact.ts'
import type { PositionedRunningInstance, RunningInstance } from '../../domain/definition.ts'
import type { EntityKind, Hash } from '../../domain/entity.ts'
import { type DimensionVisit, MAX_POSITIONS, walkDimensions } from '../../domain/positions.ts'
import { references } from '../../domain/references.ts'
import { type CallList, callList, callListBytes } from './call-list.ts'

/** A connector with everything below it as one flat list: names are gone, what is fixed is settled. */
export interface Plan {
  /** Start of the indices, when the connector itself fixes it. */
  readonly start: number | undefined
  readonly leaves: number
  /** Characters of the paths of all leaves together. */
  readonly pathLength: number
  /** One a dimension of the expanded connector, in the order of evaluation: position 1, 2, 3, … */
  readonly nodes: Iterable<PlanNode>
  /** Roughly what it takes in memory; undefined when its nodes are made anew for each walk. */
  readonly bytes: number | undefined
}

/** One dimension where the walk meets it. */
export interface PlanNode {
  readonly position: number
  /** Dimensions above: whose values are the indices of this one. */
  readonly depth: number
  /** As particles name it; undefined when the dimension leads to another connector. */
  readonly path: string | undefined
  /** To be asked before the dimension: it is the first one of its connector. */
  readonly condition: PlannedCondition | undefined
  /** Undefined for a constant. */
  readonly calls: CallList | undefined
  /** What the connectors fix; the caller must not override it. */
  readonly fixed: RunningInstance | undefined
  /** Where the connector it leads to begins, if nobody says otherwise. */
  readonly entrance: RunningInstance | undefined
}

export interface PlannedCondition {
  /** The connector that asks. */
  readonly connector: string
  readonly code: CodeArtifact
  readonly args: readonly number[]
}

const NODE_BYTES = 300

/** @throws Error when an artifact is missing. */
export function makePlan(rootHash: Hash, artifacts: readonly Artifact[]): Plan {
  const byHash = new Map(artifacts.map((artifact) => [artifact.contentHash, artifact] as const))
  const find = (hash: Hash): Artifact => {
    const found = byHash.get(hash)
    if (found === undefined) throw new Error(`The request lacks the artifact ${hash}`)
    return found
  }
  const artifactOf = (hash: Hash) => find(hash) as ConnectorArtifact
  const root = artifactOf(rootHash)
  const start = root.definition.staticRi.find(({ position }) => position === 0)?.startPoint
  let nodes: PlanNode[] | undefined = []
  let pathLength = 0
  const code = new Set<CallList>()
  for (const node of planNodes(root, artifactOf, find)) {
    pathLength += node.path?.length ?? 0
    if (node.calls) code.add(node.calls)
    // A small definition can expand to more than is worth keeping.
    if (nodes?.length === MAX_POSITIONS) nodes = undefined
    nodes?.push(node)
  }
  const facts = { start, leaves: root.leafCount, pathLength }
  if (nodes === undefined) {
    const again = { [Symbol.iterator]: () => planNodes(root, artifactOf, find) }
    return { ...facts, nodes: again, bytes: undefined }
  }
  const callBytes = [...code].reduce((sum, calls) => sum + callListBytes(calls), 0)
  return { ...facts, nodes, bytes: NODE_BYTES * nodes.length + pathLength + callBytes }
}

function* planNodes(
  root: ConnectorArtifact,
  artifactOf: (hash: Hash) => ConnectorArtifact,
  find: (hash: Hash) => Artifact,
): Generator<PlanNode, void> {
  const known = new Map<ConnectorArtifact, ConnectorFacts>()
  for (const visit of walkDimensions(root, artifactOf)) {
    const { connector, dimension, position, depth, next } = visit
    let facts = known.get(connector)
    if (facts === undefined) {
      facts = connectorFacts(connector, find)
      known.set(connector, facts)
    }
    yield {
      position,
      depth,
      path: next === undefined ? visit.path : undefined,
      condition: dimension === 0 ? facts.condition : undefined,
      calls: facts.calls[dimension],
      fixed: fixedInstance(known.get(root)!, facts, visit),
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
  const used = new Map<string, Hash>()
  references(definition).forEach(({ kind, name }, index) => {
    used.set(`${kind}/${name}`, dependencies[index]!.contentHash)
  })
  const codeOf = (kind: EntityKind, name: string) => find(used.get(`${kind}/${name}`)!) as CodeArtifact
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
  // A connector that is not executed itself knows its own dimensions only, by their number.
  return holder.instances.get(dimension + 1) ?? root.instances.get(position)
}
