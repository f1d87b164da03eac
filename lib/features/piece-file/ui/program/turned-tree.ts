import { type BuiltArtifact, withoutLeaves } from '#lib/protocol/artifact.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { ConnectorDefinition } from '#lib/protocol/definition.ts'
import type { Tree } from '#lib/protocol/entity-tree.ts'
import { type NumberPlace, readNumberPlace } from '#lib/protocol/presentation.ts'

/** A number of the tree in place of the published one. */
export interface Turn {
  /** Text of a `NumberPlace`. */
  readonly at: string
  readonly value: number
}

/** The number at a place of a tree; undefined where there is none. */
export function numberAt({ root, built }: Pick<Tree, 'root' | 'built'>, at: string): number | undefined {
  const place = readNumberPlace(at)
  const name = place?.connector ?? root.name
  const connector = built.find((each) => each.kind === 'connector' && each.name === name)
  if (place === undefined || connector?.kind !== 'connector') return undefined
  const { dimensions, conditionArgs, staticRi } = connector.definition
  if (place.kind === 'call')
    return dimensions[place.dimension]?.transformations[place.call]?.args[place.index]
  if (place.kind === 'condition') return conditionArgs[place.index]
  const instance = staticRi.find(({ position }) => position === place.position)
  // A start that is not set is 0.
  return (place.kind === 'start' ? instance?.startPoint : instance?.transformationShift) ?? 0
}

/**
 * The connectors of a tree with other numbers, as they would be built.
 *
 * @param name Of the connector to run; the first one by default.
 * @throws {Failure} for numbers that no connector can have.
 */
export function turnedTree(
  tree: Pick<Tree, 'root' | 'built'>,
  turns: readonly Turn[],
  name = tree.root.name,
) {
  const changes = turns.flatMap(({ at, value }) => {
    const place = readNumberPlace(at)
    return place === undefined ? [] : [{ ...place, connector: place.connector ?? tree.root.name, value }]
  })
  const rebuilt = new Map<string, BuiltArtifact>()
  const changed = new Set<string>()
  for (const each of tree.built) {
    const key = `${each.kind}/${each.name}`
    rebuilt.set(key, each)
    if (each.kind !== 'connector') continue
    const own = changes.filter(({ connector }) => connector === each.name)
    const below = each.dependencies.some((dependency) => changed.has(`${dependency.kind}/${dependency.name}`))
    if (own.length === 0 && !below) continue
    const definition = own.reduce(withNumber, each.definition)
    rebuilt.set(
      key,
      buildConnector(definition, (kind, name) => rebuilt.get(`${kind}/${name}`)),
    )
    changed.add(key)
  }
  const first = rebuilt.get(`connector/${name}`)
  return (
    first && { root: first.contentHash, artifacts: [...rebuilt.values()].map((one) => withoutLeaves(one)) }
  )
}

function withNumber(
  definition: ConnectorDefinition,
  place: NumberPlace & { readonly value: number },
): ConnectorDefinition {
  const { value } = place
  if (place.kind === 'condition') {
    return { ...definition, conditionArgs: replaced(definition.conditionArgs, place.index, () => value) }
  }
  if (place.kind === 'call') {
    const dimensions = replaced(definition.dimensions, place.dimension, (dimension) => ({
      ...dimension,
      transformations: replaced(dimension.transformations, place.call, (call) => ({
        ...call,
        args: replaced(call.args, place.index, () => value),
      })),
    }))
    return { ...definition, dimensions }
  }
  const { position } = place
  const before = definition.staticRi.find((each) => each.position === position)
  const next = {
    ...(before ?? { position, startPoint: 0, transformationShift: 0 }),
    [place.kind === 'start' ? 'startPoint' : 'transformationShift']: value,
  }
  const others = definition.staticRi.filter((each) => each !== before)
  return { ...definition, staticRi: [...others, next].toSorted((a, b) => a.position - b.position) }
}

function replaced<T>(list: readonly T[], index: number, change: (item: T) => T): T[] {
  return list.map((item, place) => (place === index ? change(item) : item))
}
