import fc from 'fast-check'
import type {
  CodeEntry,
  ConnectorEntry,
  DraftDimension,
  Entry,
  StudioDocument,
} from '#lib/studio/document/types.ts'

/** `toString` and `__proto__` take 1 and 2 arguments. */
const TRANSFORMATIONS: readonly (readonly [string, number])[] = [
  ['toString', 1],
  ['__proto__', 2],
  ['plain', 0],
]

const CONNECTORS = ['c0', 'c1', 'c2', 'constructor'] as const

function mostly<T>(likely: fc.Arbitrary<T>, rest: fc.Arbitrary<T>) {
  return fc.oneof({ arbitrary: likely, weight: 24 }, { arbitrary: rest, weight: 1 })
}

const number = mostly(
  fc.nat({ max: 9 }).map(String),
  fc.constantFrom('', '-3', '4294967296', '4294967295', '1.5', ' 8', '0009'),
)

function numbers(count: number) {
  return mostly(list(number, count), list(number, count + 1))
}

function list<T>(item: fc.Arbitrary<T>, length: number): fc.Arbitrary<T[]> {
  return fc.array(item, { minLength: length, maxLength: length })
}

const call = fc
  .constantFrom(...TRANSFORMATIONS)
  .chain(([name, takes]) =>
    fc.record({ id: fc.uuid(), name: mostly(fc.constant(name), fc.constant('ghost')), args: numbers(takes) }),
  )

function dimension(parts: readonly string[]): fc.Arbitrary<DraftDimension> {
  const part = mostly(fc.constantFrom('', ...parts), fc.constantFrom('ghost', 'c0', 'c3', '1x'))
  return fc
    .record({
      id: fc.uuid(),
      calls: fc.array(call, { maxLength: 2 }),
      composite: part,
      bound: fc.uniqueArray(fc.record({ slot: fc.nat({ max: 2 }), name: part }), {
        maxLength: 1,
        selector: ({ slot }) => slot,
      }),
      keep: fc.nat({ max: 9 }),
    })
    .map(({ bound, keep, ...rest }) => ({
      ...rest,
      bindings:
        rest.composite !== '' && keep < 4 ? bound.sort((a, b) => a.slot - b.slot) : keep === 9 ? bound : [],
    }))
}

function connector(index: number): fc.Arbitrary<ConnectorEntry> {
  const name = CONNECTORS[index]!
  return fc.record({
    kind: fc.constant('connector' as const),
    id: fc.constant(`id-${index}`),
    name: mostly(fc.constant<string>(name), fc.constantFrom('', '1x', 'uint8', 'c1')),
    dimensions: mostly(
      fc.array(dimension(CONNECTORS.slice(0, index)), { minLength: 1, maxLength: 3 }),
      fc.constant<DraftDimension[]>([]),
    ),
    condition: fc.option(
      fc.record({ name: mostly(fc.constant('gate'), fc.constantFrom('ghost', '')), args: numbers(1) }),
    ),
    staticRi: fc
      .uniqueArray(
        fc.record({ position: fc.nat({ max: 4 }), startPoint: number, transformationShift: number }),
        { maxLength: 2, selector: ({ position }) => position },
      )
      .map((instances) => instances.sort((a, b) => a.position - b.position)),
  })
}

const code: readonly CodeEntry[] = [
  { kind: 'transformation', id: 't0', name: 'toString', source: 'return x + args[0]; // args[7]' },
  { kind: 'transformation', id: 't1', name: '__proto__', source: 'return x * args[1] + args[0];' },
  { kind: 'transformation', id: 't2', name: 'plain', source: 'return x + 1;' },
  { kind: 'condition', id: 'g', name: 'gate', source: 'return args[0] > 0;' },
]

/**
 * Documents about half of whose connectors the server takes, in an order in which they can be created. Names do not
 * repeat: which of two is meant is a matter of order.
 */
export const likelyDocument: fc.Arbitrary<StudioDocument> = fc
  .tuple(connector(0), connector(1), connector(2), connector(3))
  .filter((connectors) => new Set(connectors.map(({ name }) => name)).size === connectors.length)
  .map(
    (connectors): StudioDocument => ({ entries: [...(code as readonly Entry[]), ...connectors], places: [] }),
  )
