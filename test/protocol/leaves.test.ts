import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { BuiltConnector } from '#lib/protocol/artifact.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { countLeaves } from '#lib/protocol/format-hash.ts'
import { runningInstancePositions } from '#lib/protocol/positions.ts'
import { leafLabels, Shelf } from '#test/support/definitions.ts'
import { vectorCases } from '#test/support/vectors.ts'

/** Random towers of connectors: each may use any earlier one as composite and as binding targets. */
const tower = fc.array(
  fc.array(
    fc.record({
      composite: fc.nat({ max: 9 }),
      slots: fc.array(fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 })), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  { minLength: 1, maxLength: 5 },
)

function build(levels: typeof tower extends fc.Arbitrary<infer T> ? T : never) {
  const shelf = new Shelf()
  const built: BuiltConnector[] = []
  for (const dimensions of levels) {
    const sketch = dimensions.map(({ composite, slots }) => {
      const child = built[composite]
      if (child === undefined) return {}
      const bindings = slots.flatMap(([slot, target]) =>
        slot < child.leaves.length && built[target] ? [[slot, built[target].name] as const] : [],
      )
      return { composite: child.name, bindings: Object.fromEntries(bindings) }
    })
    built.push(shelf.connector({ name: `C${built.length}`, dimensions: sketch }))
  }
  return built
}

function byHash(connectors: readonly BuiltConnector[]) {
  const known = new Map<Hash, BuiltConnector>(connectors.map((one) => [one.contentHash, one]))
  return (hash: Hash) => known.get(hash)!
}

describe('leaves of random connectors', () => {
  test('are as many as counted, and are the ends of the expanded tree in walking order', () => {
    fc.assert(
      fc.property(tower, (levels) => {
        const built = build(levels)
        const leavesOf = (name: string) => built.find((one) => one.name === name)!.leaves
        for (const connector of built) {
          expect(connector.leaves).toHaveLength(countLeaves(connector.definition, leavesOf))
          const positions = runningInstancePositions(connector, byHash(built))
          const ends = positions.filter((position) => position.leadsTo === '')
          expect(leafLabels(connector)).toEqual(ends.map((end) => `${end.connector}:${end.dimension}`))
          expect(new Set(positions.map(({ path }) => path)).size).toBe(positions.length)
          const deepest = Math.max(...positions.map(({ path }) => path.split('/').length - 1))
          expect(connector.depth).toBeGreaterThanOrEqual(deepest)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('running-instance positions', () => {
  const shelf = new Shelf()
  const pair = shelf.connector({ name: 'Pair', dimensions: [{}, {}] })
  const time = shelf.connector({ name: 'Time', dimensions: [{}] })

  test('are numbered depth first over composites', () => {
    const song = shelf.connector({
      name: 'Song',
      dimensions: [{ composite: 'Pair' }, { composite: 'Time' }, {}],
    })
    const listed = runningInstancePositions(song, byHash([pair, time]))
    expect(
      listed.map(({ position, connector, dimension }) => `${position} ${connector}:${dimension}`),
    ).toEqual(['1 Song:0', '2 Pair:0', '3 Pair:1', '4 Song:1', '5 Time:0', '6 Song:2'])
  })

  test('number bound targets like composites', () => {
    const host = shelf.connector({
      name: 'Host',
      dimensions: [{ composite: 'Pair', bindings: { 0: 'Time' } }],
    })
    expect(runningInstancePositions(host, byHash([pair, time]))).toEqual([
      { position: 1, path: '/Host:0', connector: 'Host', dimension: 0, leadsTo: 'Pair' },
      { position: 2, path: '/Host:0/Pair:0', connector: 'Pair', dimension: 0, leadsTo: 'Time' },
      { position: 3, path: '/Host:0/Pair:0/Time:0', connector: 'Time', dimension: 0, leadsTo: '' },
      { position: 4, path: '/Host:0/Pair:1', connector: 'Pair', dimension: 1, leadsTo: '' },
    ])
  })

  test('yield the paths that the original network recorded', () => {
    let compared = 0
    for (const vector of vectorCases) {
      const own = new Shelf()
      const connectors: BuiltConnector[] = []
      for (const { request, expected } of vector.transformations) {
        own.code('transformation', request.name, expected?.args_count ?? 0)
      }
      for (const { request, expected } of vector.conditions) {
        own.code('condition', request.name, expected?.args_count ?? 0)
      }
      for (const { request, expected_error: error } of vector.connectors) {
        if (!error) connectors.push(own.connector(request))
      }
      for (const { request, expected, expected_digest: digest } of vector.execute) {
        const results = expected ?? digest
        const root = connectors.find(({ name }) => name === request.connector_name)
        if (!results || !root) continue
        const paths = runningInstancePositions(root, byHash(connectors))
          .filter(({ leadsTo }) => leadsTo === '')
          .map(({ path }) => path)
        expect(paths).toEqual(results.map(({ path }) => path))
        compared += 1
      }
    }
    expect(compared).toBeGreaterThan(40)
  })
})
