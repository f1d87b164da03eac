import { expect, test } from 'vitest'
import { createValue } from '#lib/browser/value.ts'
import { renameEverywhere, setSource } from '#lib/studio/document/commands/entries.ts'
import { refKey } from '#lib/studio/document/node-ref.ts'
import type { Library, LibrarySource } from '#lib/studio/document/parts.ts'
import { createStudioStore } from '#lib/studio/document/store.ts'
import { EMPTY_VIEW, type StudioDocument } from '#lib/studio/document/types.ts'
import { sessionState } from '#lib/studio/session-state.ts'

const DOCUMENT: StudioDocument = {
  entries: [{ kind: 'transformation', id: 'a', name: 'twice', source: '' }],
  places: [],
}

/** A store and a library that counts how often a name is looked up. */
function setUp() {
  let lookups = 0
  const find: Library['find'] = () => {
    lookups += 1
    return 'absent'
  }
  const value = createValue<Library>({ find })
  const library: LibrarySource = { ...value, find, read: async () => [], refresh: () => {} }
  const store = createStudioStore({ document: DOCUMENT, view: EMPTY_VIEW })
  const state = sessionState(store, library)
  return { store, state, renew: () => value.setState({ find }), lookups: () => lookups }
}

test('problems are found at the first use, and once for an edit', () => {
  const { store, state, lookups } = setUp()
  store.edit('Rename', (document) => renameEverywhere(document, { entryId: 'a', name: 'thrice' }))
  expect(state.getState().document.entries[0]?.name).toBe('thrice')
  expect(lookups()).toBe(0)

  const { problems, problemsAt, parts, shapes } = state.getState()
  expect(problems.map(({ code }) => code)).toEqual(['source_blank'])
  expect(problemsAt.get(refKey({ kind: 'entry', entryId: 'a' }))).toEqual(problems)
  const after = lookups()
  expect(state.getState()).toMatchObject({ problems, problemsAt, parts, shapes })
  expect(lookups()).toBe(after)
})

test('a choice or another tab leaves what follows from the document as it is', () => {
  const { store, state } = setUp()
  const before = state.getState()
  const { problems, parts, shapes } = before
  store.select([{ kind: 'entry', entryId: 'a' }])
  store.setView((view) => ({ ...view, active: null, tabs: [{ kind: 'entry', entryId: 'a' }] }))
  const now = state.getState()
  expect(now).not.toBe(before)
  expect(now.selection).toHaveLength(1)
  expect(now.problems).toBe(problems)
  expect(now.parts).toBe(parts)
  expect(now.shapes).toBe(shapes)
})

test('an edit and a change of the library are each told once, with their own problems', () => {
  const { store, state, renew } = setUp()
  let changes = 0
  const end = state.subscribe(() => {
    changes += 1
  })
  const { problems } = state.getState()
  store.edit('Write', (document) => setSource(document, { entryId: 'a', source: 'return x;' }))
  expect(state.getState().problems).toEqual([])
  const { parts } = state.getState()
  renew()
  expect(state.getState().parts).not.toBe(parts)
  expect(problems).toHaveLength(1)
  expect(changes).toBe(2)
  end()
  renew()
  expect(changes).toBe(2)
})
