import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement as h, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { StudioProvider, useStudio } from '../../../lib/ui/studio/common/context.tsx'
import { createStudioStore, type StudioStore } from '../../../lib/ui/studio/document/store.ts'
import type { StudioDocument } from '../../../lib/ui/studio/document/types.ts'
import { createLiveLibrary, readEntities } from '../../../lib/ui/studio/library/live-library.ts'
import { EntryEditor } from '../../../lib/ui/studio/shell/entry-editor.tsx'
import { ResultPane } from '../../../lib/ui/studio/shell/result-pane.tsx'
import { transport } from '../../../lib/ui/studio/transport/transport.ts'

/*
 * The editor of a connector beside its result, for tests in a browser: a document handed over by the test, the engine of
 * the browser, and the network that the test's server has.
 */

declare global {
  var studioDocument: StudioDocument
  var store: StudioStore
  /** The values that would sound now, a list for each path. */
  var heard: () => readonly (readonly number[])[]
}

const [first] = globalThis.studioDocument.entries
const tab = { kind: 'entry', entryId: first?.id ?? '' } as const
globalThis.store = createStudioStore({
  document: globalThis.studioDocument,
  view: { tabs: [tab], active: `entry/${tab.entryId}` },
})
globalThis.heard = () => transport.getState().source?.streams.map(({ data }) => data) ?? []

const live = createLiveLibrary(readEntities)
live.start()

function Page() {
  const [said, announce] = useState('')
  return h(
    QueryClientProvider,
    { client: new QueryClient() },
    h(
      StudioProvider,
      // biome-ignore lint/correctness/noChildrenProp: this file has no JSX, so that Node can read it
      { store: globalThis.store, live, openTab() {}, announce, children: h(Inside, { said }) },
    ),
  )
}

function Inside({ said }: { said: string }) {
  const { state } = useStudio()
  const [entry] = state.document.entries
  return h(
    'main',
    { className: 'grid min-h-dvh gap-4 p-2 lg:grid-cols-2' },
    h('h1', { className: 'sr-only' }, 'Numbers'),
    h(
      'section',
      { 'aria-label': 'Editor', className: '@container min-w-0' },
      entry && h(EntryEditor, { entry }),
    ),
    h(
      'section',
      { 'aria-label': 'Result', className: '@container min-w-0' },
      h(ResultPane),
      h('p', { role: 'status' }, said),
    ),
  )
}

createRoot(document.querySelector('#root') as HTMLElement).render(h(Page))
