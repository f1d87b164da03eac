import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { newNameProblem } from '#lib/protocol/names.ts'
import { runningInstancePositions } from '#lib/protocol/positions.ts'
import { argsCountOf } from '#lib/studio/document/args-count.ts'
import { definitionOf } from '#lib/studio/document/definition.ts'
import {
  type Found,
  type Library,
  type LibraryEntity,
  partsOf,
  UNKNOWN_LIBRARY,
} from '#lib/studio/document/parts.ts'
import { positionsOf } from '#lib/studio/document/positions-of.ts'
import { problems } from '#lib/studio/document/problems.ts'
import { shapesOf } from '#lib/studio/document/shapes.ts'
import type { ConnectorEntry, Entry, StudioDocument } from '#lib/studio/document/types.ts'
import { Shelf } from '#test/support/definitions.ts'
import { codeEntry, connectorEntry, dimension, documentOf, publishedConnector } from './entries.ts'
import { likelyDocument } from './likely-document.ts'

const NOTHING: Library = { find: () => 'absent' }

/** Creates what can be created, in the order of the document, as a server that knows nothing else would. */
function createAll(document: StudioDocument): { shelf: Shelf; refused: Map<string, string> } {
  const shelf = new Shelf()
  const refused = new Map<string, string>()
  for (const entry of document.entries) {
    if (entry.kind !== 'connector') {
      shelf.code(entry.kind, entry.name, argsCountOf(entry.source))
      continue
    }
    const refusal = create(entry, shelf)
    if (refusal !== undefined) refused.set(entry.id, refusal)
  }
  return { shelf, refused }
}

function create(entry: ConnectorEntry, shelf: Shelf): string | undefined {
  if (newNameProblem(entry.name) !== undefined) return 'name'
  if (shelf.lookup('connector', entry.name) !== undefined) return 'repeated'
  const definition = definitionOf(entry)
  if (definition === undefined) return 'number'
  try {
    shelf.add(buildConnector(definition, shelf.lookup))
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

function errorsOf(document: StudioDocument, entry: Entry, library: Library) {
  return problems(document, library).filter(
    ({ severity, at }) => severity === 'error' && at.entryId === entry.id,
  )
}

describe('problems', () => {
  it('are errors exactly where creating the connectors in their order is refused', () => {
    let taken = 0
    let refusals = 0
    fc.assert(
      fc.property(likelyDocument, (document) => {
        const { refused } = createAll(document)
        for (const entry of document.entries) {
          const errors = errorsOf(document, entry, NOTHING)
          if (refused.has(entry.id)) refusals += 1
          else taken += 1
          expect([entry.name, errors.length > 0, errors], refused.get(entry.id)).toEqual([
            entry.name,
            refused.has(entry.id),
            errors,
          ])
        }
      }),
      { numRuns: 250 },
    )
    // The generator is worth something only when it makes both.
    expect(Math.min(taken, refusals)).toBeGreaterThan(100)
  })

  it('conclude nothing from what the library does not know yet', () => {
    fc.assert(
      fc.property(likelyDocument, (document) => {
        const missing = problems(document, UNKNOWN_LIBRARY).filter(({ code }) => code === 'part_missing')
        expect(missing.every(({ sentence }) => sentence.includes('1x'))).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('name each node and what to do', () => {
    const document = documentOf(
      codeEntry('t', 'add', 'return x + args[0];'),
      connectorEntry(
        'c',
        'uint8',
        [
          dimension('d0', {
            calls: [
              { id: 'a', name: 'add', args: ['1', '2'] },
              { id: 'b', name: 'ghost', args: [] },
              { id: 'e', name: 'add', args: ['twelve'] },
            ],
            composite: 'uint8',
          }),
        ],
        {
          condition: { name: '', args: [] },
          staticRi: [{ position: 0, startPoint: '', transformationShift: '0' }],
        },
      ),
    )
    const found = problems(document, NOTHING).map(({ at, field, code, sentence }) => [
      at.kind,
      field?.name ?? '',
      code,
      sentence,
    ])
    expect(found).toEqual([
      ['entry', 'name', 'name_invalid', 'Name "uint8" is a reserved word of Solidity.'],
      ['call', '', 'arguments_count', 'add takes 1 number; 2 are given.'],
      ['call', '', 'part_missing', 'There is no function called ghost. Create it, or choose another.'],
      [
        'call',
        'args',
        'argument_invalid',
        '“twelve” is not a whole number. Type one from 0 to 4,294,967,295.',
      ],
      ['composite', '', 'part_of_itself', 'A piece cannot be a part of itself: uint8 has to exist first.'],
      ['condition', '', 'part_unnamed', 'Say which gate it is.'],
      [
        'running-instance',
        'startPoint',
        'instance_invalid',
        'A number is missing. Type one from 0 to 4,294,967,295.',
      ],
    ])
  })

  it('see circles, repeated names, and names that are published', () => {
    const connector = (id: string, name: string, composite: string) =>
      connectorEntry(id, name, [dimension(`${id}-0`, { composite })])
    const entries = [connector('1', 'a', 'b'), connector('2', 'b', 'a'), connector('3', 'b', '')]
    const library = libraryOf([publishedConnector('a', '')])
    expect(problems({ entries, places: [] }, library).map(({ code, at }) => `${at.entryId} ${code}`)).toEqual(
      ['1 name_published', '1 part_of_itself', '2 part_of_itself', '3 name_repeated'],
    )
  })

  it('resolve parts of published connectors as published, whatever drafts have their names', () => {
    const entries = [
      connectorEntry('1', 'leaf', [dimension('s0'), dimension('s1')]),
      connectorEntry('2', 'mine', [
        dimension('d', { composite: 'pair', bindings: [{ slot: 1, name: 'leaf' }] }),
      ]),
    ]
    const library = libraryOf([publishedConnector('leaf', ''), publishedConnector('pair', 'leaf')])
    expect(errorsOf({ entries, places: [] }, entries[1]!, library).map(({ code }) => code)).toEqual([
      'slot_missing',
    ])
  })

  it('warn of running instances that stand nowhere or mean something else inside another connector', () => {
    const at = (position: number) => ({ position, startPoint: '1', transformationShift: '0' })
    const leaf = connectorEntry('1', 'leaf', [dimension('s0'), dimension('s1')], { staticRi: [at(1), at(2)] })
    const dimensions = [dimension('s2', { composite: 'leaf' }), dimension('s3')]
    const host = connectorEntry('2', 'host', dimensions, { staticRi: [0, 1, 2, 4, 5].map(at) })
    const whole = connectorEntry('3', 'whole', [dimension('s4', { composite: 'host' })])
    const alone = problems(documentOf(leaf, host), NOTHING)
    expect(alone.map(({ code }) => code)).toEqual(['instance_unused'])
    const found = problems(documentOf(leaf, host, whole), NOTHING)
    expect(found.map(({ code, sentence }) => [code, sentence])).toEqual([
      [
        'instance_shadowed',
        'Start 2 is that of /host:0/leaf:0 when host plays by itself. As a part of another piece, it is read for voice 2 of host instead.',
      ],
      [
        'instance_shadowed',
        'Start 4 is that of /host:1 when host plays by itself. As a part of another piece, it is not read at all.',
      ],
      ['instance_unused', 'Start 5 starts nothing: the last one is 4.'],
    ])
  })

  it('distinguish a connector that is too large from one that is broken, without building it', () => {
    const wide = (composite: string) =>
      Array.from({ length: 64 }, (_, i) => dimension(`s${i}`, { composite }))
    const entries = [0, 1, 2, 3, 4].map((level) =>
      connectorEntry(String(level), `n${level}`, wide(level === 0 ? '' : `n${level - 1}`)),
    )
    const codes = problems({ entries, places: [] }, NOTHING).map(({ at, code, sentence }) => [
      at.entryId,
      code,
      sentence,
    ])
    expect(codes[0]).toEqual([
      '2',
      'too_many_leaves',
      'It would have 262144 voices; a piece may have at most 4096.',
    ])
    expect(codes[1]).toEqual([
      '3',
      'part_broken',
      'The piece n2 has a problem of its own that has to be solved first.',
    ])
  })
})

describe('positions', () => {
  it('of a draft are those of the connector built from it', () => {
    fc.assert(
      fc.property(likelyDocument, (document) => {
        const { shelf, refused } = createAll(document)
        const shapes = shapesOf(partsOf(document, NOTHING))
        for (const entry of document.entries) {
          if (entry.kind !== 'connector' || refused.has(entry.id)) continue
          const built = shelf.lookup('connector', entry.name)
          if (built?.kind !== 'connector') throw new Error('not built')
          const byHash = new Map(shelf.all().map((artifact) => [artifact.contentHash, artifact]))
          const expected = runningInstancePositions(built, (hash) => {
            const found = byHash.get(hash)
            if (found?.kind !== 'connector') throw new Error('no connector')
            return found
          })
          const shape = shapes.ofName(entry.name)
          if (typeof shape === 'string') throw new Error(shape)
          expect(positionsOf(shape)).toEqual(expected)
          expect(shape.leaves).toEqual(built.leaves)
        }
      }),
      { numRuns: 100 },
    )
  })
})

describe('the number of arguments of a body', () => {
  it.each([
    ['return x;', 0],
    ['return x + args[0];', 1],
    ['return args[ 1 ] + args [3];', 4],
    ['return args[0x2] + args[1e0];', 3],
    ['return args[1_0];', 11],
    ['return args[(5)];', 6],
    ['return x; // args[4]', 0],
    ['/* args[4] */ return x;', 0],
    ['require(x > 0, "args[9] // too small"); return args[0];', 1],
    ["require(x > 0, 'it\\'s args[9]'); return args[0];", 1],
    ['uint32[] memory xargs = args; return xargs[3];', 0],
    ['return args[x];', 0],
    ['return args.length > 2 ? 1 : 0;', 0],
    ['return args[4294967295];', 0],
  ])('%s', (source, count) => {
    expect(argsCountOf(source)).toBe(count)
  })
})

function libraryOf(entities: readonly LibraryEntity[]): Library {
  return {
    find: (kind: EntityKind, name: string): Found =>
      entities.find((entity) => entity.kind === kind && entity.name === name) ?? 'absent',
  }
}
