import { describe, expect, test } from 'vitest'
import type { ConnectorArtifact } from '#lib/protocol/artifact.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { scalarLabels } from '#lib/protocol/format-hash.ts'
import { bareHash } from '#lib/protocol/hash.ts'
import { cpuTime } from '#test/support/cpu-time.ts'
import { type ConnectorSketch, define, leafLabels, Shelf } from '#test/support/definitions.ts'
import { vectorCases } from '#test/support/vectors.ts'

function refusal(shelf: Shelf, sketch: ConnectorSketch): string {
  try {
    shelf.connector(sketch)
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid_request') return error.message
    throw error
  }
  throw new Error(`${sketch.name} was not refused`)
}

describe.each(vectorCases)('vector $id', (vector) => {
  test('connectors are built or refused as recorded', () => {
    const shelf = new Shelf()
    for (const { request, expected } of vector.transformations) {
      shelf.code('transformation', request.name, expected?.args_count ?? 0)
    }
    for (const { request, expected } of vector.conditions) {
      shelf.code('condition', request.name, expected?.args_count ?? 0)
    }
    for (const { request, expected, expected_error: error } of vector.connectors) {
      if (shelf.lookup('connector', request.name)) {
        expect(error?.name).toBe('ConnectorAlreadyRegistered')
      } else if (error) {
        const prefix = error.message ?? `${error.name}: ${error.about}`
        expect(refusal(shelf, request).split(' (')[0]).toBe(prefix)
      } else {
        const connector = shelf.connector(request)
        expect(leafLabels(connector)).toEqual(expected!.leaves)
        expect(scalarLabels(connector.leaves)).toEqual(expected!.scalars)
        expect(bareHash(connector.formatHash)).toBe(expected!.format_hash)
      }
    }
  })
})

describe('creation checks', () => {
  const shelf = new Shelf()
  shelf.code('transformation', 'Plus', 1)
  shelf.code('transformation', 'Id', 0)
  shelf.code('condition', 'Above', 2)
  shelf.connector({ name: 'Duo', dimensions: [{}, {}] })

  const plus = { name: 'Plus', args: [1] }
  const missing = { name: 'Ghost' }

  test.each<[string, ConnectorSketch, string]>([
    ['no dimension', { name: 'C', dimensions: [] }, 'dimensions is zero'],
    [
      'a transformation before its later sibling',
      { name: 'C', dimensions: [{ transformations: [{ name: 'Plus' }, missing] }] },
      'TransformationArgumentsMismatch: Plus (takes 1 argument, 0 given)',
    ],
    [
      'a missing transformation before a missing composite of an earlier dimension',
      { name: 'C', dimensions: [{ composite: 'Nowhere' }, { transformations: [missing] }] },
      'TransformationMissing: Ghost',
    ],
    [
      'a missing composite before a wrong binding of an earlier dimension',
      { name: 'C', dimensions: [{ composite: 'Duo', bindings: { 9: 'Duo' } }, { composite: 'Nowhere' }] },
      'ConnectorMissing: Nowhere',
    ],
    [
      'bindings without a composite',
      { name: 'C', dimensions: [{ bindings: { 0: 'Duo' } }] },
      'ConnectorDimensionsMismatch: C (dimension 0: bindings need a composite)',
    ],
    [
      'a slot out of range before its missing target',
      { name: 'C', dimensions: [{}, { composite: 'Duo', bindings: { 2: 'Nowhere' } }] },
      'ConnectorDimensionsMismatch: C (dimension 1: slot 2 does not exist, Duo has 2 slots)',
    ],
    [
      'a missing target',
      { name: 'C', dimensions: [{ composite: 'Duo', bindings: { 1: 'Nowhere' } }] },
      'ConnectorMissing: Nowhere',
    ],
    [
      'an empty target',
      { name: 'C', dimensions: [{ composite: 'Duo', bindings: { 1: '' } }] },
      'ConnectorDimensionsMismatch: C (dimension 0: slot 1 names no connector)',
    ],
    [
      'a binding before the condition',
      {
        name: 'C',
        dimensions: [{ composite: 'Duo', bindings: { 1: 'Nowhere' } }],
        condition_name: 'Ghost',
      },
      'ConnectorMissing: Nowhere',
    ],
    [
      'a missing condition',
      { name: 'C', dimensions: [{ transformations: [plus] }], condition_name: 'Ghost' },
      'ConditionMissing: Ghost',
    ],
    [
      'arguments of the condition',
      { name: 'C', dimensions: [{}], condition_name: 'Above', condition_args: [1] },
      'ConditionArgumentsMismatch: Above (takes 2 arguments, 1 given)',
    ],
    ['itself', { name: 'C', dimensions: [{ composite: 'C' }] }, 'ConnectorMissing: C'],
    [
      'a name of another kind',
      { name: 'C', dimensions: [{ transformations: [{ name: 'Above', args: [1, 2] }] }] },
      'TransformationMissing: Above',
    ],
    [
      'names that every object has',
      { name: 'C', dimensions: [{ composite: '__proto__' }] },
      'ConnectorMissing: __proto__',
    ],
  ])('refuse %s', (_title, sketch, message) => {
    expect(refusal(shelf, sketch)).toBe(message)
  })

  test('refuse a slot that is bound twice and a duplicate position', () => {
    const definition = define({ name: 'C', dimensions: [{ composite: 'Duo', bindings: { 0: 'Duo' } }] })
    const twice = { slot: 0, name: 'Duo' }
    expect(() =>
      buildConnector(
        { ...definition, dimensions: [{ ...definition.dimensions[0]!, bindings: [twice, twice] }] },
        shelf.lookup,
      ),
    ).toThrow('slot 0 is bound twice')
    const ri = { position: 3, startPoint: 0, transformationShift: 0 }
    expect(() => buildConnector({ ...definition, staticRi: [ri, ri] }, shelf.lookup)).toThrow(
      'ConnectorDimensionsMismatch: C (static position 3 is given twice)',
    )
  })

  test('accept names that every object has', () => {
    const own = new Shelf()
    own.code('transformation', 'toString', 0)
    own.connector({ name: '__proto__', dimensions: [{ transformations: [{ name: 'toString' }] }] })
    const host = own.connector({ name: 'hasOwnProperty', dimensions: [{ composite: '__proto__' }] })
    expect(leafLabels(host)).toEqual(['__proto__:0'])
  })

  test('list dependencies in check order with repeats', () => {
    const connector = shelf.connector({
      name: 'Listed',
      dimensions: [
        { composite: 'Duo', bindings: { 0: 'Duo', 1: 'Duo' } },
        { transformations: [{ name: 'Id' }, plus], composite: 'Duo' },
        { transformations: [plus] },
      ],
      condition_name: 'Above',
      condition_args: [-1, 2],
    })
    expect(connector.dependencies.map(({ kind, name }) => `${kind}/${name}`)).toEqual([
      'transformation/Id',
      'transformation/Plus',
      'transformation/Plus',
      'connector/Duo',
      'connector/Duo',
      'connector/Duo',
      'connector/Duo',
      'condition/Above',
    ])
    for (const { kind, name, contentHash } of connector.dependencies) {
      expect(contentHash).toBe(shelf.lookup(kind, name)!.contentHash)
    }
  })

  test('content hash follows the definition and the artifacts of the dependencies', () => {
    const build = (argsCount: number, start: number) => {
      const own = new Shelf()
      own.code('transformation', 'T', argsCount)
      return own.connector({
        name: 'C',
        dimensions: [{ transformations: [{ name: 'T', args: Array(argsCount).fill(1) }] }],
        static_ri: { 1: { start_point: start, transformation_shift: 0 } },
      }).contentHash
    }
    expect(build(0, 5)).toBe(build(0, 5))
    expect(new Set([build(0, 5), build(0, 6), build(1, 5)]).size).toBe(3)
  })
})

describe('limits', () => {
  test('64 dimensions with 64 bindings each build in no time', async () => {
    const shelf = new Shelf()
    shelf.connector({ name: 'Wide', dimensions: Array(64).fill({}) })
    shelf.connector({ name: 'One', dimensions: [{}] })
    const bindings = Object.fromEntries(Array.from({ length: 64 }, (_, slot) => [slot, 'One']))
    const took = await cpuTime(() => {
      const dimensions = Array(64).fill({ composite: 'Wide', bindings })
      expect(shelf.connector({ name: 'Host', dimensions }).leaves).toHaveLength(4096)
    })
    expect(took).toBeLessThan(5000)
  })

  test('4096 scalars are accepted, 4097 are not', () => {
    const shelf = new Shelf()
    shelf.connector({ name: 'Wide', dimensions: Array(4096).fill({}) })
    expect(refusal(shelf, { name: 'Wider', dimensions: [{ composite: 'Wide' }, {}] })).toBe(
      'Connector Wider has 4097 scalars, more than 4096',
    )
  })

  test('exponential nesting is refused without building it', async () => {
    const shelf = new Shelf()
    shelf.connector({ name: 'L0', dimensions: Array(4096).fill({}) })
    const bindings = Object.fromEntries(Array.from({ length: 100 }, (_, slot) => [slot, 'L0']))
    const took = await cpuTime(() => {
      const dimensions = Array(1000).fill({ composite: 'L0', bindings })
      expect(refusal(shelf, { name: 'Boom', dimensions })).toContain('more than 4096')
    })
    expect(took).toBeLessThan(5000)
  })

  test('65,535 arguments are accepted, one more is not', () => {
    const shelf = new Shelf()
    shelf.code('transformation', 'Fits', 65_535)
    shelf.code('transformation', 'Over', 65_536)
    const sketch = (name: string, count: number) => ({
      name: 'C',
      dimensions: [{ transformations: [{ name, args: Array<number>(count).fill(0) }] }],
    })
    expect(refusal(shelf, sketch('Over', 65_536))).toBe(
      'Connector C has 65536 arguments in a call, more than 65535',
    )
    expect(shelf.connector(sketch('Fits', 65_535)).leaves).toHaveLength(1)
  })

  test('256 levels are accepted, 257 are not', () => {
    const shelf = new Shelf()
    let last: ConnectorArtifact = shelf.connector({ name: 'D1', dimensions: [{}] })
    for (let level = 2; level <= 256; level++) {
      last = shelf.connector({ name: `D${level}`, dimensions: [{ composite: last.name }] })
    }
    expect(last.depth).toBe(256)
    expect(refusal(shelf, { name: 'D257', dimensions: [{ composite: 'D256' }] })).toBe(
      'Connector D257 nests 257 connectors deep, more than 256',
    )
  })

  test('a connector bound into itself doubles its depth, so the chain ends early', () => {
    const shelf = new Shelf()
    shelf.connector({ name: 'D0', dimensions: [{}] })
    const message = () => {
      for (let level = 1; ; level++) {
        const below = `D${level - 1}`
        const sketch = { name: `D${level}`, dimensions: [{ composite: below, bindings: { 0: below } }] }
        try {
          shelf.connector(sketch)
        } catch (error) {
          return (error as Error).message
        }
      }
    }
    expect(message()).toBe('Connector D8 nests 511 connectors deep, more than 256')
  })
})
