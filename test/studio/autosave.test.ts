import 'fake-indexeddb/auto'
import { beforeAll, expect, test, vi } from 'vitest'
import { createStudioStore } from '../../lib/ui/studio/document/store.ts'
import { EMPTY_VIEW, type StudioDocument } from '../../lib/ui/studio/document/types.ts'
import { startAutosave } from '../../lib/ui/studio/storage/autosave.ts'
import { openWorkspaceStore, VISITOR } from '../../lib/ui/studio/storage/workspace-store.ts'

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
