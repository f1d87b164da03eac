import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renameEntry } from '#lib/studio/document/commands/entries.ts'
import { MAX_STEPS, MERGE_WITHIN_MS } from '#lib/studio/document/history.ts'
import { refKey } from '#lib/studio/document/node-ref.ts'
import { createStudioStore } from '#lib/studio/document/store.ts'
import { EMPTY_VIEW, type StudioDocument, tabKey, withoutTab, withTab } from '#lib/studio/document/types.ts'
import { arbitraryCommand, arbitraryDocument } from './commands-arbitrary.ts'
import { codeEntry, documentOf } from './entries.ts'

describe('undo and redo', () => {
  it('restore the document exactly, whatever was done', () => {
    fc.assert(
      fc.property(arbitraryDocument, fc.array(arbitraryCommand, { maxLength: 80 }), (start, commands) => {
        const store = createStudioStore({ document: start, view: EMPTY_VIEW })
        const text = JSON.stringify(start)
        const seen = [store.getState().document]
        for (const command of commands) {
          const before = store.getState().document
          store.edit('Change', command)
          if (store.getState().document !== before) seen.push(store.getState().document)
        }
        for (const document of seen.toReversed()) {
          expect(store.getState().document).toBe(document)
          store.undo()
        }
        expect(store.getState().undoLabel).toBeUndefined()
        // Commands change nothing in place.
        expect(JSON.stringify(store.getState().document)).toBe(text)
        for (const document of seen) {
          expect(store.getState().document).toBe(document)
          store.redo()
        }
      }),
      { numRuns: 300 },
    )
  })

  it('take back what goes on from a document as one step, whatever was chosen since, and not past another edit', () => {
    const [entry] = fc.sample(arbitraryDocument, { seed: 1, numRuns: 1 })
    const store = createStudioStore({ document: entry!, view: EMPTY_VIEW })
    const entryId = entry!.entries[0]!.id
    const rename = (name: string, onto?: StudioDocument) => {
      store.edit('Rename', (document) => renameEntry(document, { entryId, name }), { onto })
      return store.getState().document
    }
    const first = rename('first')
    store.select([])
    const second = rename('second', first)
    expect(store.history().past).toHaveLength(1)
    store.undo()
    rename('third', second)
    expect(store.history().past).toHaveLength(1)
    rename('mine')
    rename('fourth', first)
    expect(store.history().past).toHaveLength(3)
  })

  it('take back typing in one field as one step, until there is a pause or something else', () => {
    let now = 0
    const [entry] = fc.sample(arbitraryDocument, { seed: 1, numRuns: 1 })
    const store = createStudioStore({ document: entry!, view: EMPTY_VIEW }, () => now)
    const entryId = entry!.entries[0]!.id
    const type = (name: string) =>
      store.edit('Rename', (document) => renameEntry(document, { entryId, name }), {
        merge: `name/${entryId}`,
      })
    const name = () => store.getState().document.entries[0]!.name

    type('q')
    type('qu')
    now += MERGE_WITHIN_MS
    type('quo')
    now += MERGE_WITHIN_MS + 1
    type('quot')
    store.undo()
    expect(name()).toBe('quo')
    store.undo()
    expect(name()).toBe(entry!.entries[0]!.name)
    store.redo()
    expect(name()).toBe('quo')
    type('quob')
    expect(store.getState().redoLabel).toBeUndefined()
    store.select([{ kind: 'entry', entryId }])
    type('quobi')
    store.undo()
    expect(name()).toBe('quob')
    store.undo()
    expect(name()).toBe('quo')
  })

  it('forget the oldest steps only', () => {
    const [start] = fc.sample(arbitraryDocument, { seed: 1, numRuns: 1 })
    const store = createStudioStore({ document: start!, view: EMPTY_VIEW })
    const entryId = start!.entries[0]!.id
    for (let i = 0; i < MAX_STEPS + 10; i++) {
      store.edit('Rename', (document) => renameEntry(document, { entryId, name: `n${i}` }))
    }
    let steps = 0
    for (; store.getState().undoLabel !== undefined; steps++) store.undo()
    expect(steps).toBe(MAX_STEPS)
    expect(store.getState().document.entries[0]!.name).toBe('n9')
  })
})

describe('a store', () => {
  it('notifies its listeners of every change and of nothing else', () => {
    const store = createStudioStore()
    let told = 0
    const stop = store.subscribe(() => {
      told += 1
    })
    store.edit('Nothing', (document) => document)
    store.undo()
    store.redo()
    store.setView((view) => view)
    expect(told).toBe(0)
    const tab = { kind: 'entry', entryId: 'a' } as const
    store.setView(() => ({ tabs: [tab], active: tabKey(tab) }))
    store.select([{ kind: 'entry', entryId: 'a' }])
    expect(told).toBe(2)
    stop()
    store.select([])
    expect(told).toBe(2)
  })
})

describe('an entry that comes back', () => {
  const both = documentOf(codeEntry('a', 'gone', ''), codeEntry('b', 'kept', ''))

  it('is in front, with the tab that was closed with it', () => {
    const tab = { kind: 'entry', entryId: both.entries[0]!.id } as const
    const other = { kind: 'entry', entryId: both.entries[1]!.id } as const
    const view = withTab(withTab(EMPTY_VIEW, other), tab)
    const store = createStudioStore({ document: both, view })
    store.edit('Remove', (document) => ({ ...document, entries: document.entries.slice(1) }))
    store.setView((open) => withoutTab(open, tabKey(tab)))
    expect(store.getState().view).toEqual({ tabs: [other], active: tabKey(other) })
    store.undo()
    expect(store.getState().view).toEqual({ tabs: [other, tab], active: tabKey(tab) })
  })

  it('among many leaves what is open', () => {
    const store = createStudioStore()
    store.edit('Open file', () => both)
    store.undo()
    store.redo()
    expect(store.getState().view).toEqual(EMPTY_VIEW)
  })
})

describe('keys', () => {
  it('of references differ when the references do, whatever the ids are', () => {
    const id = fc.constantFrom('a', 'a","b', '__proto__', 'a/b')
    const ref = fc.record({ kind: fc.constant('call' as const), entryId: id, dimensionId: id, callId: id })
    fc.assert(
      fc.property(ref, ref, (a, b) => {
        expect(refKey(a) === refKey(b)).toBe(JSON.stringify(a) === JSON.stringify(b))
      }),
    )
  })
})
