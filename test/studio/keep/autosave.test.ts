import 'fake-indexeddb/auto'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { renameEverywhere, setSource } from '#lib/studio/document/commands/entries.ts'
import type { History } from '#lib/studio/document/history.ts'
import { createStudioStore, type StudioStore } from '#lib/studio/document/store.ts'
import { EMPTY_VIEW, type StudioDocument } from '#lib/studio/document/types.ts'
import { type Autosave, startAutosave } from '#lib/studio/keep/autosave.ts'
import { openWorkspaceManager } from '#lib/studio/keep/workspace-manager.ts'
import { deleteStoredWorkspaces, openWorkspaceStore, VISITOR } from '#lib/studio/keep/workspace-store.ts'

beforeAll(() => {
  const page = new EventTarget()
  vi.stubGlobal('document', Object.assign(page, { visibilityState: 'visible' }))
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
})

const document: StudioDocument = {
  entries: [{ kind: 'transformation', id: 'a', name: 'twice', source: 'return 2 * x;' }],
  places: [],
}

test('a workspace that is deleted while it is open stays deleted when its tab closes', async () => {
  const works = await openWorkspaceStore()
  const key = { owner: VISITOR, workspace: 'w' }
  const work = { ...key, name: 'My work', revision: 1, savedAtMs: 0, document, view: EMPTY_VIEW }
  await works.put('works', { ...work, deletedAtMs: null })
  const store = createStudioStore()
  const autosave = startAutosave(store, VISITOR, 'w')
  await expect.poll(() => store.getState().document.entries.length).toBe(1)

  // Values from storage are new objects each time, also when equal.
  await works.put('works', { ...work, revision: 2, deletedAtMs: 7 })
  globalThis.document.dispatchEvent(new Event('visibilitychange'))
  await autosave.flush()
  autosave.stop()
  await autosave.flush()
  expect(await works.get('works', [VISITOR, 'w'])).toMatchObject({ revision: 2, deletedAtMs: 7 })
  works.close()
})

test('a workspace that is left before it is open stays as it is stored', async () => {
  const works = await openWorkspaceStore()
  const key = { owner: VISITOR, workspace: 'hurried' }
  const work = { ...key, name: 'My work', revision: 1, savedAtMs: 0, document, view: EMPTY_VIEW }
  await works.put('works', { ...work, deletedAtMs: null })
  const autosave = startAutosave(createStudioStore(), VISITOR, 'hurried')
  expect(await autosave.stop()).toBeUndefined()
  expect(await works.get('works', [VISITOR, 'hurried'])).toMatchObject({ revision: 1, document })
  const page = await opened('hurried')
  expect(page.store.getState().document).toEqual(document)
  page.autosave.stop()
  works.close()
})

test('what a page that ended could not write is stored by the next one', async () => {
  vi.stubGlobal('localStorage', storage())
  const page = await opened('left')
  page.store.edit('Add', () => document)
  await page.autosave.flush()
  const works = await openWorkspaceStore()
  const before = (await works.get('works', [VISITOR, 'left']))!
  rename(page.store, 'at_the_end')
  globalThis.document.dispatchEvent(new Event('pagehide'))
  page.autosave.stop()
  await page.autosave.flush()
  // The browser dropped its last transaction.
  await works.put('works', before)
  const next = await opened('left')
  expect(next.store.getState().document.entries).toMatchObject([{ name: 'at_the_end' }])
  expect(Object.keys(localStorage)).toEqual([])

  // Older than what is stored, or nothing at all.
  const stored = (await works.get('works', [VISITOR, 'left']))!
  for (const left of [JSON.stringify(before), '{"revision":9}', 'x']) {
    localStorage.setItem(`weft-studio-left/${VISITOR}/left`, left)
    ;(await openWorkspaceStore()).close()
    expect(await works.get('works', [VISITOR, 'left'])).toEqual(stored)
    expect(Object.keys(localStorage)).toEqual([])
  }
  next.autosave.stop()
  works.close()
})

/** Stands in for the `Storage` of a browser, whose items are properties. */
function storage() {
  const functions = {
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key]
    },
  }
  return Object.create(functions) as Storage
}

function rename(store: StudioStore, name: string): void {
  store.edit(`Rename to ${name}`, (before) => renameEverywhere(before, { entryId: 'a', name }))
}

async function opened(workspace: string) {
  const store = createStudioStore()
  const autosave = startAutosave(store, VISITOR, workspace)
  await expect.poll(() => autosave.getState().kind).toBe('saved')
  return { store, autosave }
}

async function reopened(workspace: string, { autosave }: { autosave: Autosave }) {
  await autosave.flush()
  autosave.stop()
  await autosave.flush()
  return opened(workspace)
}

describe('undo', () => {
  test('goes on after a reload, back and forth', async () => {
    let page = await opened('undo')
    page.store.edit('Add', () => document)
    for (const name of ['one', 'two', 'three']) rename(page.store, name)
    page.store.undo()
    page = await reopened('undo', page)
    expect(page.store.getState()).toMatchObject({
      undoLabel: 'Rename to two',
      redoLabel: 'Rename to three',
    })
    page.store.redo()
    expect(page.store.getState().document.entries[0]?.name).toBe('three')
    for (let step = 0; step < 4; step++) page.store.undo()
    expect(page.store.getState()).toMatchObject({ document: { entries: [] }, undoLabel: undefined })
    page = await reopened('undo', page)
    expect(page.store.getState().redoLabel).toBe('Add')
    page.autosave.stop()
  })

  test('has what was changed elsewhere since as one more step', async () => {
    const page = await opened('elsewhere')
    page.store.edit('Add', () => document)
    rename(page.store, 'mine')
    await page.autosave.flush()
    page.autosave.stop()
    await page.autosave.flush()
    const works = await openWorkspaceStore()
    const work = (await works.get('works', [VISITOR, 'elsewhere']))!
    const entries = [{ ...document.entries[0]!, name: 'theirs' }]
    await works.put('works', { ...work, revision: work.revision + 1, document: { entries, places: [] } })
    works.close()
    const { store, autosave } = await opened('elsewhere')
    expect(store.getState()).toMatchObject({ document: { entries }, undoLabel: 'Change made elsewhere' })
    store.undo()
    expect(store.getState()).toMatchObject({ undoLabel: 'Rename to mine' })
    autosave.stop()
  })

  test('is bounded, and dropped where another version stored something else', async () => {
    let page = await opened('bounded')
    page.store.edit('Add', () => document)
    for (let step = 0; step < 300; step++) rename(page.store, `n${step}`)
    page = await reopened('bounded', page)
    let steps = 0
    for (; page.store.getState().undoLabel !== undefined; steps++) page.store.undo()
    expect(steps).toBe(200)

    // Bodies of 60,000 characters: 2 MiB hold some thirty of them.
    for (let step = 0; step < 100; step++) {
      page.store.edit('Edit', (before) =>
        setSource(before, { entryId: 'a', source: `${step}`.padEnd(60_000, 'x') }),
      )
    }
    page = await reopened('bounded', page)
    steps = 0
    for (; page.store.getState().undoLabel !== undefined; steps++) page.store.undo()
    expect(steps).toBeGreaterThan(25)
    expect(steps).toBeLessThan(40)
    await page.autosave.flush()
    page.autosave.stop()
    await page.autosave.flush()

    for (const history of [
      7,
      { present: document, past: [{ label: 'x' }], future: [] },
      {
        present: document,
        past: [{ label: 'x', before: { entries: [{ id: 7 }] }, after: document, atMs: 0 }],
        future: [],
      },
    ]) {
      const works = await openWorkspaceStore()
      await works.put('histories', {
        ...{ owner: VISITOR, workspace: 'bounded' },
        history: history as unknown as History,
      })
      works.close()
      const again = await opened('bounded')
      expect(again.store.getState().undoLabel).toBeUndefined()
      again.autosave.stop()
    }
  })
})

test('undo goes with a visitor’s work to the account, and leaves the browser with the account', async () => {
  const page = await opened('mine')
  page.store.edit('Add', () => document)
  rename(page.store, 'signed')
  await page.autosave.flush()
  page.autosave.stop()
  await page.autosave.flush()
  const account = '0x00000000000000000000000000000000000000aa'
  const manager = openWorkspaceManager(account, undefined)
  await expect.poll(() => manager.getState().current).toBeDefined()
  await manager.adoptVisitorWorkspaces()
  manager.stop()

  const works = await openWorkspaceStore()
  expect(await works.get('histories', [VISITOR, 'mine'])).toBeUndefined()
  const store = createStudioStore()
  const autosave = startAutosave(store, account, 'mine')
  await expect.poll(() => store.getState().undoLabel).toBe('Rename to signed')
  autosave.stop()
  await autosave.flush()
  await deleteStoredWorkspaces(account)
  const left = [...(await works.getAllKeys('histories')), ...(await works.getAllKeys('works'))]
  expect(left.filter(([owner]) => owner === account)).toEqual([])
  works.close()
})
