import 'fake-indexeddb/auto'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { renameEverywhere } from '#lib/studio/document/commands/entries.ts'
import type { StudioDocument } from '#lib/studio/document/types.ts'
import { openWorkspaceManager } from '#lib/studio/keep/workspace-manager.ts'
import { openWorkspaceStore, VISITOR } from '#lib/studio/keep/workspace-store.ts'
import { createProgressStores } from '#lib/studio/lessons/progress.ts'
import { createLiveLibrary } from '#lib/studio/library/live-library.ts'
import { createSession, type Session, type Surroundings } from '#lib/studio/session.ts'
import { MidiDevices } from '#lib/studio/sound/midi-devices.ts'
import { createTransport } from '#lib/studio/sound/transport.ts'

beforeAll(() => {
  const page = new EventTarget()
  vi.stubGlobal('document', Object.assign(page, { visibilityState: 'visible' }))
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
})

// Its own: files that share a process share the database as well.
const account = '0x00000000000000000000000000000000000000bb'
const { indexedDB } = globalThis
const document: StudioDocument = {
  entries: [{ kind: 'transformation', id: 'a', name: 'twice', source: 'return 2 * x;' }],
  places: [],
}

function rename(session: Session, name: string): void {
  session.document.edit(`Rename to ${name}`, (before) => renameEverywhere(before, { entryId: 'a', name }))
}

function noEngine(): never {
  throw new Error('Nothing runs here')
}

const transport = createTransport()
const sound = { transport, midi: new MidiDevices(transport) }
const nothingAround: Surroundings = {
  engine: noEngine,
  sound,
  library: createLiveLibrary(async () => []),
  announce: () => {},
  lessons: createProgressStores({ read: () => undefined, write: () => {} }),
}

/** The session of a visitor with work in it, kept as that workspace. */
async function visiting(workspace: string): Promise<Session> {
  const session = createSession(nothingAround)
  session.keepIn({ owner: VISITOR, workspace, onSave: () => {} })
  await expect.poll(() => session.save.getState()?.getState().kind).toBe('saved')
  session.document.edit('Add', () => document)
  return session
}

/** The account opens its workspaces, with what the visitor had open; returns the one that is open then. */
async function signIn(open: string | undefined): Promise<string> {
  const manager = openWorkspaceManager(account, undefined, open)
  await expect.poll(() => manager.getState().current).toBeDefined()
  manager.stop()
  return manager.getState().current as string
}

test('who signs in goes on with what is open: with its undo, its choice, and what was typed meanwhile', async () => {
  const works = await openWorkspaceStore()
  const own = { owner: account, workspace: 'older', name: 'My work', revision: 1, savedAtMs: 0 }
  await works.put('works', { ...own, document, view: { tabs: [], active: null }, deletedAtMs: null })
  const session = await visiting('mine')
  rename(session, 'before')
  session.document.select([{ kind: 'entry', entryId: 'a' }])
  const seen: number[] = []
  session.document.subscribe(() => seen.push(session.document.getState().document.entries.length))

  const open = await session.leave()
  expect(open).toBe('mine')
  rename(session, 'meanwhile')
  expect(await signIn(open)).toBe('mine')
  session.keepIn({ owner: account, workspace: 'mine', onSave: () => {} })
  expect(session.save.getState()?.getState().kind).toBe('saving')
  await expect.poll(() => session.save.getState()?.getState().kind).toBe('saved')
  rename(session, 'after')
  await session.save.getState()?.flush()

  expect(seen.every((entries) => entries === 1)).toBe(true)
  expect(session.document.getState().selection).toHaveLength(1)
  for (const name of ['meanwhile', 'before', 'twice']) {
    session.document.undo()
    expect(session.document.getState().document.entries[0]?.name).toBe(name)
  }
  session.document.redo()
  await session.leave()
  const stored = await works.get('works', [account, 'mine'])
  // Beside the account's own of the same name.
  expect(stored).toMatchObject({ name: 'My work 2', document: { entries: [{ name: 'before' }] } })
  expect(await works.get('works', [VISITOR, 'mine'])).toBeUndefined()
  // It is what the account has open from now on.
  expect(await signIn(undefined)).toBe('mine')
  works.close()
})

test('an empty workspace stays behind, and another workspace takes the place of what was open', async () => {
  const empty = createSession(nothingAround)
  empty.keepIn({ owner: VISITOR, workspace: 'empty', onSave: () => {} })
  await expect.poll(() => empty.save.getState()?.getState().kind).toBe('saved')
  expect(await empty.leave()).toBeUndefined()

  const session = await visiting('one')
  expect(await session.leave()).toBe('one')
  const other = await visiting('other')
  rename(other, 'elsewhere')
  await other.leave()
  session.keepIn({ owner: VISITOR, workspace: 'other', onSave: () => {} })
  await expect.poll(() => session.document.getState().document.entries[0]?.name).toBe('elsewhere')
  await session.leave()
})

test('who signs in goes on with what is open also where this browser stores nothing', async () => {
  vi.stubGlobal('indexedDB', undefined)
  onTestFinished(() => void vi.stubGlobal('indexedDB', indexedDB))
  const session = createSession(nothingAround)
  session.keepIn({ owner: VISITOR, workspace: 'unstored', onSave: () => {} })
  await expect.poll(() => session.save.getState()?.getState().kind).toBe('failing')
  session.document.edit('Add', () => document)

  const open = await session.leave()
  expect(open).toBe('unstored')
  expect(await signIn(open)).toBe('unstored')
  session.keepIn({ owner: account, workspace: 'unstored', onSave: () => {} })
  await expect.poll(() => session.save.getState()?.getState().kind).toBe('failing')
  expect(session.document.getState().document).toBe(document)
  expect(session.document.history().past).toHaveLength(1)
})

test('who signs in goes on with what is open also where the visitor’s last write failed', async () => {
  const works = await openWorkspaceStore()
  const session = await visiting('unwritten')
  const open = await session.leave()
  await works.delete('works', [VISITOR, 'unwritten'])
  expect(await signIn(open)).toBe('unwritten')
  works.close()
})
