import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copy, freeName, paste, readClip, writeClip } from '#lib/studio/document/clip.ts'
import { definitionOf, entryOf } from '#lib/studio/document/definition.ts'
import { find } from '#lib/studio/document/find.ts'
import { type ConnectorEntry, type Entry, newId, type StudioDocument } from '#lib/studio/document/types.ts'
import { arbitraryDocument } from './commands-arbitrary.ts'
import { codeEntry, connectorEntry, dimension, documentOf } from './entries.ts'
import { likelyDocument } from './likely-document.ts'

const pitch = connectorEntry(
  'p',
  'pitch',
  [
    dimension('d0', {
      calls: [
        { id: 'a', name: 'add', args: ['1'] },
        { id: 'b', name: 'mul', args: ['2', 'x'] },
      ],
    }),
    dimension('d1', { composite: 'base', bindings: [{ slot: 0, name: 'tone' }] }),
  ],
  { condition: { name: 'gate', args: ['-1'] } },
)
const document = documentOf(pitch, codeEntry('t', 'add', 'return x +\n  args[0]; // plus'))

function through(clip: Parameters<typeof writeClip>[0] | undefined) {
  const result = readClip(writeClip(clip!))
  if (!result.ok) throw new Error(result.sentence)
  expect(result.clip).toEqual(clip)
  return result.clip
}

function withoutIds(value: unknown) {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => (key === 'id' || key === 'callId' ? undefined : inner)),
  )
}

function allIds({ entries }: StudioDocument): string[] {
  return entries.flatMap((entry) => [
    entry.id,
    ...(entry.kind === 'connector'
      ? entry.dimensions.flatMap(({ id, calls }) => [id, ...calls.map((call) => call.id)])
      : []),
  ])
}

describe('copy and paste', () => {
  it('of any entries adds equal ones under new ids and free names', () => {
    fc.assert(
      fc.property(arbitraryDocument, (start) => {
        const clip = copy(
          start,
          start.entries.map(({ id }) => ({ kind: 'entry', entryId: id })),
        )
        if (clip === undefined) {
          expect(start.entries).toEqual([])
          return
        }
        const { document: after, added } = paste(start, through(clip), { at: undefined, newId })
        expect(added).toHaveLength(start.entries.length)
        expect(after.entries.slice(0, start.entries.length)).toEqual(start.entries)
        const copies = after.entries.slice(start.entries.length)
        const named = copies.map((entry, index) => ({ ...entry, name: start.entries[index]!.name }))
        expect(withoutIds(named)).toEqual(withoutIds(start.entries))
        // Knobs are of the copy's own calls.
        for (const copied of copies) {
          const own = allIds({ ...after, entries: [copied] })
          const knobs = copied.kind === 'connector' ? (copied.knobs ?? []) : []
          for (const { target } of knobs) if (target.kind === 'call') expect(own).toContain(target.callId)
        }
        const ids = allIds(after)
        expect(new Set(ids).size).toBe(ids.length)
        for (const entry of copies) {
          expect(
            after.entries.filter((other) => other.kind === entry.kind && other.name === entry.name),
          ).toHaveLength(1)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('puts dimensions after the dimension and calls after the call that is chosen', () => {
    const dimensions = through(copy(document, [{ kind: 'dimension', entryId: 'p', dimensionId: 'd0' }]))
    const pasted = paste(document, dimensions, {
      at: { kind: 'call', entryId: 'p', dimensionId: 'd0', callId: 'a' },
      newId,
    })
    const [entry] = pasted.document.entries as [ConnectorEntry]
    expect(entry.dimensions.map(({ calls }) => calls.map(({ name }) => name))).toEqual([
      ['add', 'mul'],
      ['add', 'mul'],
      [],
    ])
    expect(pasted.added).toEqual([{ kind: 'dimension', entryId: 'p', dimensionId: entry.dimensions[1]!.id }])

    const calls = through(copy(document, [{ kind: 'call', entryId: 'p', dimensionId: 'd0', callId: 'b' }]))
    const inside = paste(document, calls, {
      at: { kind: 'call', entryId: 'p', dimensionId: 'd0', callId: 'a' },
      newId,
    })
    expect(
      (inside.document.entries[0] as ConnectorEntry).dimensions[0]!.calls.map(({ name }) => name),
    ).toEqual(['add', 'mul', 'mul'])
    const below = paste(document, calls, { at: { kind: 'entry', entryId: 'p' }, newId })
    expect(
      (below.document.entries[0] as ConnectorEntry).dimensions[1]!.calls.map(({ name }) => name),
    ).toEqual(['mul'])
  })

  it('adds nothing where there is no place for it', () => {
    const calls = through(copy(document, [{ kind: 'call', entryId: 'p', dimensionId: 'd0', callId: 'b' }]))
    for (const at of [
      undefined,
      { kind: 'entry', entryId: 't' },
      { kind: 'entry', entryId: 'gone' },
    ] as const) {
      expect(paste(document, calls, { at, newId })).toEqual({ document, added: [] })
    }
    expect(copy(document, [{ kind: 'condition', entryId: 'p' }])).toBeUndefined()
  })

  it.each([
    '',
    'hello',
    '{"weft":"clip","version":1,"clip":{"of":"worlds"}}',
    '{"weft":"clip","version":1,"clip":{"of":"calls","calls":[{"id":"","name":"x","args":[1]}]}}',
    '[]',
    'null',
    `"${'x'.repeat(5_000_000)}"`,
  ])('refuses %.60s', (text) => {
    const result = readClip(text)
    expect(result.ok ? '' : result.sentence).toMatch(/clipboard|pasted/)
  })
})

describe('a free name', () => {
  it('counts on from the name', () => {
    const named = (name: string): Entry => ({ ...pitch, id: name, name })
    expect(freeName([named('a')], 'connector', 'b')).toBe('b')
    expect(freeName([named('a')], 'transformation', 'a')).toBe('a')
    expect(freeName([named('a')], 'connector', 'a')).toBe('a_2')
    expect(freeName([named('a'), named('a_2')], 'connector', 'a_2')).toBe('a_3')
    expect(freeName([named('_2')], 'connector', '_2')).toBe('_2_2')
  })
})

describe('a definition', () => {
  it('becomes an entry with the same definition: the start of a fork', () => {
    fc.assert(
      fc.property(likelyDocument, ({ entries }) => {
        for (const entry of entries) {
          const definition = entry.kind === 'connector' ? definitionOf(entry) : undefined
          if (definition === undefined) continue
          const fork = entryOf(definition, newId)
          expect(definitionOf(fork)).toEqual(definition)
        }
      }),
      { numRuns: 100 },
    )
  })
})

describe('find', () => {
  it('searches names, arguments and bodies', () => {
    const found = (query: string) => find(document, query).map(({ at, text }) => `${at.kind}: ${text}`)
    expect(found('ADD')).toEqual(['call: add(1)', 'entry: add'])
    expect(found('-1')).toEqual(['condition: gate(-1)'])
    expect(found('tone')).toEqual(['binding: tone'])
    expect(found('args[0]')).toEqual(['entry: args[0]; // plus'])
    expect(found('  ')).toEqual([])
    expect(found('.*')).toEqual([])
  })
})
