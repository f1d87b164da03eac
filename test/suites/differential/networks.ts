import fc from 'fast-check'
import type { ConnectorDefinition, PositionedRunningInstance } from '#lib/protocol/definition.ts'
import { CONDITIONS, TRANSFORMATIONS } from './bodies.ts'
import { Model } from './model.ts'

/** A few connectors, each standing on earlier ones, and runs of them. */
export interface Network {
  readonly connectors: readonly ConnectorDefinition[]
  readonly runs: readonly Run[]
}

export interface Run {
  readonly connector: string
  readonly particlesCount: number
  readonly dynamicRi: readonly PositionedRunningInstance[]
}

const MAX_LEAVES = 24

/** Shapes with indices into what exists so far; names and slots are settled when the network is built. */
const seedCall = fc.record({
  transformation: fc.nat(TRANSFORMATIONS.length - 1),
  args: fc.array(
    fc.oneof({ weight: 8, arbitrary: fc.nat(9) }, { weight: 1, arbitrary: fc.constantFrom(0, 4294967295) }),
    { minLength: 2, maxLength: 2 },
  ),
})
function seedRi(positions: number) {
  return fc.uniqueArray(
    fc.record({
      position: fc.nat(positions),
      startPoint: fc.oneof(
        { weight: 9, arbitrary: fc.nat(20) },
        { weight: 1, arbitrary: fc.constantFrom(4294967295, 4294967290) },
      ),
      transformationShift: fc.oneof(
        { weight: 9, arbitrary: fc.nat(5) },
        { weight: 1, arbitrary: fc.constantFrom(4294967295, 4294967280) },
      ),
    }),
    { selector: (ri) => ri.position, maxLength: 3 },
  )
}
const seedDimension = fc.record({
  calls: fc.array(seedCall, { maxLength: 3 }),
  composite: fc.option(fc.nat(), { freq: 2 }),
  bindings: fc.array(fc.record({ slot: fc.nat(), target: fc.nat() }), { maxLength: 2 }),
})
const seedConnector = fc.record({
  dimensions: fc.array(seedDimension, { minLength: 1, maxLength: 3 }),
  condition: fc.option(
    fc.record({
      condition: fc.nat(CONDITIONS.length - 1),
      args: fc.array(fc.integer({ min: -2, max: 9 }), { minLength: 2, maxLength: 2 }),
    }),
    { freq: 2 },
  ),
  staticRi: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: seedRi(6) }),
})
const seedRun = fc.record({
  connector: fc.nat(),
  particlesCount: fc.integer({ min: 1, max: 24 }),
  dynamicRi: fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: seedRi(9) }),
})

type SeedConnector = typeof seedConnector extends fc.Arbitrary<infer T> ? T : never

/** Random networks; `runs` of each start at the connector built last, which stands on the most. */
export const networks = fc
  .record({
    connectors: fc.array(seedConnector, { minLength: 2, maxLength: 6 }),
    runs: fc.array(seedRun, { minLength: 10, maxLength: 10 }),
  })
  .map((seed): Network => {
    const model = new Model()
    const built: ConnectorDefinition[] = []
    for (const one of seed.connectors) {
      const definition = settle(one, built, model)
      model.define(definition)
      built.push(definition)
    }
    const runs = seed.runs.map((run) => ({
      connector: built[built.length - 1 - (run.connector % built.length)]!.name,
      particlesCount: run.particlesCount,
      dynamicRi: byPosition(run.dynamicRi),
    }))
    return { connectors: built, runs }
  })

function byPosition(ri: readonly PositionedRunningInstance[]) {
  return ri.toSorted((a, b) => a.position - b.position)
}

function settle(
  seed: SeedConnector,
  earlier: readonly ConnectorDefinition[],
  model: Model,
): ConnectorDefinition {
  let leaves = 0
  const dimensions = seed.dimensions.map((dimension) => {
    const transformations = dimension.calls.map((call) => {
      const { name, argsCount } = TRANSFORMATIONS[call.transformation]!
      return { name, args: call.args.slice(0, argsCount) }
    })
    const composite = dimension.composite === null ? undefined : earlier[dimension.composite % earlier.length]
    if (composite === undefined) {
      leaves += 1
      return { transformations, composite: '', bindings: [] }
    }
    const slots = model.leafCount(composite.name)
    const bindings = new Map(
      dimension.bindings.map((b) => [b.slot % slots, earlier[b.target % earlier.length]!.name] as const),
    )
    const width = [...bindings.values()].reduce((sum, name) => sum + model.leafCount(name) - 1, slots)
    if (leaves + width > MAX_LEAVES) {
      leaves += 1
      return { transformations, composite: '', bindings: [] }
    }
    leaves += width
    return {
      transformations,
      composite: composite.name,
      bindings: [...bindings].map(([slot, name]) => ({ slot, name })).toSorted((a, b) => a.slot - b.slot),
    }
  })
  const condition = seed.condition === null ? undefined : CONDITIONS[seed.condition.condition]!
  return {
    name: `c${earlier.length}`,
    dimensions,
    conditionName: condition?.name ?? '',
    conditionArgs: condition === undefined ? [] : seed.condition!.args.slice(0, condition.argsCount),
    staticRi: byPosition(seed.staticRi),
  }
}

/** The same network under unique names, so that one registry can hold many. */
export function renamed(network: Network, prefix: string): Network {
  const rename = (name: string) => (name === '' ? '' : `${prefix}_${name}`)
  return {
    connectors: network.connectors.map((c) => ({
      ...c,
      name: rename(c.name),
      dimensions: c.dimensions.map((d) => ({
        ...d,
        composite: rename(d.composite),
        bindings: d.bindings.map((b) => ({ ...b, name: rename(b.name) })),
      })),
    })),
    runs: network.runs.map((r) => ({ ...r, connector: rename(r.connector) })),
  }
}
