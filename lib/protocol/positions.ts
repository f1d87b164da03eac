import type { ConnectorArtifact } from './artifact.ts'
import type { Hash } from './entity.ts'
import { Failure } from './failure.ts'
import { references } from './references.ts'

/** A dimension met while walking an expanded connector; its position is the key of running instances. */
export interface Position {
  readonly position: number
  /** `/<connector>:<dimension>` for every connector from the root down. */
  readonly path: string
  readonly connector: string
  readonly dimension: number
  /** The connector that its values index: its composite, or what an outer connector bound to it; else empty. */
  readonly leadsTo: string
}

/** Most positions that are listed; the expansion of a small definition can be very large. */
export const MAX_POSITIONS = 65_536

/** Filler of a slot: a connector, and the fillers of the slots inside it. */
interface Filling {
  readonly connector: ConnectorArtifact
  readonly inner: Fillings
}

/** By leaf number of the connector being walked. */
type Fillings = ReadonlyMap<number, Filling>

/** A dimension of an expanded connector, with the artifacts around it. */
export interface DimensionVisit {
  readonly position: number
  readonly path: string
  /** Connectors above the one that holds the dimension; 0 in the root. */
  readonly depth: number
  /** The connector that holds the dimension. */
  readonly connector: ConnectorArtifact
  readonly dimension: number
  /** The connector that its values index; undefined for a final scalar. */
  readonly next: ConnectorArtifact | undefined
}

/**
 * Walks an expanded connector (bindings applied) in depth-first pre-order: the order of positions, of evaluation and
 * of particles. Unbounded: a small definition can expand to very many dimensions.
 *
 * @param artifactOf The connector artifacts below the root, by content hash.
 */
export function* walkDimensions(
  root: ConnectorArtifact,
  artifactOf: (contentHash: Hash) => ConnectorArtifact,
): Generator<DimensionVisit, void> {
  let position = 0
  const children = new Map<ConnectorArtifact, ReadonlyMap<string, ConnectorArtifact>>()

  const childOf = (connector: ConnectorArtifact, name: string): ConnectorArtifact => {
    let connectorsByName = children.get(connector)
    if (connectorsByName === undefined) {
      connectorsByName = connectorsUsedBy(connector, artifactOf)
      children.set(connector, connectorsByName)
    }
    return connectorsByName.get(name)!
  }

  // By hand: a generator within a generator for each level would make every step cost as much as the tree is deep.
  const above: Level[] = [{ prefix: '', connector: root, fillings: new Map(), dimension: 0, open: 0 }]
  for (let level = above.at(-1); level !== undefined; level = above.at(-1)) {
    const { connector, fillings, dimension, open } = level
    const here = connector.definition.dimensions[dimension]
    if (here === undefined) {
      above.pop()
      continue
    }
    const { composite, bindings } = here
    const path = `${level.prefix}/${connector.name}:${dimension}`
    const filling = composite === '' ? fillings.get(open) : undefined
    const next = composite === '' ? filling?.connector : childOf(connector, composite)
    const depth = above.length - 1
    position += 1
    yield { position, path, depth, connector, dimension, next }
    level.dimension += 1
    level.open += 1
    if (next === undefined) continue
    let below = filling?.inner ?? NOTHING
    if (composite !== '') {
      const targets = new Map(bindings.map(({ slot, name }) => [slot, childOf(connector, name)]))
      const filled = filledSlots(next, targets, fillings, open)
      below = filled.slots
      level.open = filled.open
    }
    above.push({ prefix: path, connector: next, fillings: below, dimension: 0, open: 0 })
  }
}

/** A connector that is being walked: what comes next in it. */
interface Level {
  readonly prefix: string
  readonly connector: ConnectorArtifact
  readonly fillings: Fillings
  dimension: number
  /** Number of its next leaf. */
  open: number
}

const NOTHING: Fillings = new Map()

/** Fillers of the slots of a composite, and the number of the first leaf behind it. */
function filledSlots(
  composite: ConnectorArtifact,
  targets: ReadonlyMap<number, ConnectorArtifact>,
  fillings: Fillings,
  first: number,
): { readonly slots: Fillings; readonly open: number } {
  if (targets.size === 0 && fillings.size === 0) return { slots: NOTHING, open: first + composite.leafCount }
  const slots = new Map<number, Filling>()
  let open = first
  for (let slot = 0; slot < composite.leafCount; slot++) {
    const target = targets.get(slot)
    const width = target?.leafCount ?? 1
    if (target) slots.set(slot, { connector: target, inner: shifted(fillings, open, width) })
    else {
      const passed = fillings.get(open)
      if (passed) slots.set(slot, passed)
    }
    open += width
  }
  return { slots, open }
}

/**
 * Lists the running-instance positions of a connector: 1, 2, 3, … in depth-first pre-order over the expanded tree
 * (bindings applied). Position 0 is the root's index start and has no entry.
 *
 * @param artifactOf The connector artifacts below the root, by content hash.
 * @throws Failure('invalid_request') beyond `MAX_POSITIONS`.
 */
export function runningInstancePositions(
  root: ConnectorArtifact,
  artifactOf: (contentHash: Hash) => ConnectorArtifact,
): Position[] {
  const positions: Position[] = []
  for (const { position, path, connector, dimension, next } of walkDimensions(root, artifactOf)) {
    if (position > MAX_POSITIONS) {
      throw new Failure('invalid_request', `Connector has more than ${MAX_POSITIONS} positions`)
    }
    positions.push({ position, path, connector: connector.name, dimension, leadsTo: next?.name ?? '' })
  }
  return positions
}

function shifted(fillings: Fillings, from: number, width: number): Fillings {
  const inner = new Map<number, Filling>()
  for (let slot = 0; slot < width; slot++) {
    const filling = fillings.get(from + slot)
    if (filling) inner.set(slot, filling)
  }
  return inner
}

function connectorsUsedBy(
  connector: ConnectorArtifact,
  artifactOf: (contentHash: Hash) => ConnectorArtifact,
): ReadonlyMap<string, ConnectorArtifact> {
  const connectorsByName = new Map<string, ConnectorArtifact>()
  references(connector.definition).forEach(({ kind, name }, index) => {
    if (kind === 'connector')
      connectorsByName.set(name, artifactOf(connector.dependencies[index]!.contentHash))
  })
  return connectorsByName
}
