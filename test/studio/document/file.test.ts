import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withWorlds } from '#lib/studio/document/attached-worlds.ts'
import { MAX_FILE_LENGTH, readFile, writeFile } from '#lib/studio/document/file.ts'
import { EMPTY_VIEW, newId, tabKey } from '#lib/studio/document/types.ts'
import { arbitraryDocument } from './commands-arbitrary.ts'
import { connectorEntry, dimension } from './entries.ts'

const empty = { weft: 'studio', version: 1, document: { entries: [], places: [] }, view: EMPTY_VIEW }

function connector(more: Record<string, unknown> = {}) {
  return { ...connectorEntry('c', 'a'), ...more }
}

function binding(slot: number, name: string) {
  return { slot, name }
}

function read(value: unknown) {
  return readFile(typeof value === 'string' ? value : JSON.stringify(value), newId)
}

function withEntry(entry: unknown) {
  return { ...empty, document: { entries: [entry], places: [] } }
}

describe('a file', () => {
  it('is read exactly as it was written', () => {
    fc.assert(
      fc.property(arbitraryDocument, (made) => {
        // Commands of the generator may place nodes of, or attach Worlds to, an entry that does not exist.
        const ids = new Set(made.entries.map(({ id }) => id))
        const document = withWorlds(
          { ...made, places: made.places.filter(({ entryId }) => ids.has(entryId)) },
          (made.worlds ?? []).filter(({ of }) => ids.has(of.replace('entry/', ''))),
        )
        const tabs = made.entries.map(({ id }) => ({ kind: 'entry', entryId: id }) as const)
        const view = { tabs, active: tabs[0] === undefined ? null : tabKey(tabs[0]) }
        expect(readFile(writeFile({ document, view }), newId)).toEqual({ ok: true, document, view })
      }),
      { numRuns: 200 },
    )
  })

  it.each([
    ['nothing', '', 'This is not a file of the studio: it is not JSON.'],
    ['a picture', '\u0089PNG\r\n', 'This is not a file of the studio: it is not JSON.'],
    ['null', 'null', 'This is not a file of the studio.'],
    ['a list', '[]', 'This is not a file of the studio.'],
    ['another JSON', '{"name":"pitch"}', 'This is not a file of the studio.'],
    ['one that is too large', ' '.repeat(MAX_FILE_LENGTH + 1), 'The file is larger than 16 MiB.'],
    [
      'one from the future',
      { ...empty, version: 2, more: [] },
      'The file was written by a newer version of the studio. Reload the page and try again.',
    ],
    ['an unknown field', { ...empty, extra: 1 }, 'extra'],
    [
      'a prototype',
      '{"weft":"studio","version":1,"document":{"entries":[],"places":[],"__proto__":{"x":1}},"view":{"tabs":[],"active":null}}',
      '__proto__',
    ],
    ['an unknown kind', withEntry({ ...connector(), kind: 'world' }), 'document.entries.0.kind'],
    ['a number for text', withEntry(connector({ name: 7 })), 'document.entries.0.name'],
    [
      'a slot twice',
      withEntry(
        connector({
          dimensions: [dimension('d', { composite: 'x', bindings: [binding(0, 'a'), binding(0, 'b')] })],
        }),
      ),
      'a slot comes twice',
    ],
    [
      'a position twice',
      withEntry(
        connector({
          staticRi: [0, 0].map((position) => ({ position, startPoint: '', transformationShift: '' })),
        }),
      ),
      'a position comes twice',
    ],
    [
      'a negative slot',
      withEntry(
        connector({
          dimensions: [dimension('d', { composite: 'x', bindings: [binding(-1, 'a')] })],
        }),
      ),
      'bindings.0.slot',
    ],
    [
      'a place nowhere',
      { ...empty, document: { entries: [], places: [{ entryId: 'a', node: 'b', x: 1e300, y: 0 }] } },
      'document.places.0.x',
    ],
    [
      'more entries than anyone writes',
      {
        ...empty,
        document: { entries: Array.from({ length: 2001 }, (_, i) => connector({ id: `c${i}` })), places: [] },
      },
      'document.entries: too large, at most 2000',
    ],
    [
      'a body without end',
      withEntry({ kind: 'transformation', id: 't', name: 'x', source: 'x'.repeat(70_000) }),
      'document.entries.0.source',
    ],
  ])('is refused in words when it is %s', (_what, value, sentence) => {
    const result = read(value)
    expect(result.ok).toBe(false)
    expect(result.ok ? '' : result.problems.join('\n')).toContain(sentence)
  })

  it('never fails otherwise, whatever it holds', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.object().map((noise) => ({ ...empty, ...noise })),
        ),
        (value) => {
          const result = read(value)
          expect(result.ok || result.problems.length > 0).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  it('is made fit for use: ids once, lists in order, tabs and places of what is there', () => {
    const calls = [{ id: 'c', name: 'add', args: ['1'] }]
    const tab = { kind: 'entry', entryId: 'c' }
    const result = read({
      ...withEntry(
        connector({
          dimensions: [
            dimension('c', { calls }),
            dimension('d', { calls, composite: 'x', bindings: [binding(3, 'q'), binding(1, 'r')] }),
          ],
        }),
      ),
      view: { tabs: [tab, { kind: 'entry', entryId: 'gone' }, tab], active: 'entry/gone' },
    })
    if (!result.ok) throw new Error(result.problems.join())
    const [entry] = result.document.entries
    if (entry?.kind !== 'connector') throw new Error('no connector')
    const ids = [
      entry.id,
      ...entry.dimensions.flatMap(({ id, calls }) => [id, ...calls.map((call) => call.id)]),
    ]
    expect(entry.id).toBe('c')
    expect(new Set(ids).size).toBe(ids.length)
    expect(entry.dimensions[1]?.bindings.map(({ slot }) => slot)).toEqual([1, 3])
    expect(result.view).toEqual({ tabs: [tab], active: 'entry/c' })
  })
})

describe('how a connector sounds', () => {
  const sound = {
    bpm: 120,
    stepsPerBeat: 3,
    loop: false,
    root: 7,
    scale: 'blues',
    paths: [{ path: '1/0', instrument: 'kit', muted: true, mapping: 'steps', octave: 2, span: 1 }],
  }

  it('is read as it was written, and may be absent', () => {
    const found = read(withEntry(connector({ sound })))
    expect(found).toMatchObject({ ok: true, document: { entries: [{ sound }] } })
    expect(read(withEntry(connector()))).toMatchObject({ ok: true })
  })

  it.each([
    ['an unknown instrument', { paths: [{ path: '0', instrument: 'kazoo' }] }],
    ['a tempo that is none', { bpm: 1e9 }],
    ['a step that no clock has', { stepsPerBeat: 5 }],
    ['a path twice', { paths: [{ path: '0' }, { path: '0' }] }],
    ['too many paths', { paths: Array.from({ length: 257 }, (_, index) => ({ path: String(index) })) }],
    ['an octave beyond hearing', { paths: [{ path: '0', octave: 99 }] }],
    ['an unknown field', { reverb: 1 }],
  ])('is refused with %s', (_what, wrong) => {
    expect(read(withEntry(connector({ sound: { ...sound, ...wrong } }))).ok).toBe(false)
  })
})
