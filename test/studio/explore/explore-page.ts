import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement as h, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { StudioProvider, useStudio } from '../../../lib/ui/studio/common/context.tsx'
import { createStudioStore, type StudioStore } from '../../../lib/ui/studio/document/store.ts'
import type { StudioDocument } from '../../../lib/ui/studio/document/types.ts'
import { Explore } from '../../../lib/ui/studio/explore/explore.tsx'
import { createLiveLibrary } from '../../../lib/ui/studio/library/live-library.ts'
import { type Transport, transport } from '../../../lib/ui/studio/transport/transport.ts'

/* The contact sheet of a document's first entry, as the result pane holds it, for tests in a browser. */

declare global {
  var studioDocument: StudioDocument
  var store: StudioStore
  var sounding: Transport
}

const studioStore = createStudioStore({
  document: globalThis.studioDocument,
  view: { tabs: [], active: null },
})
globalThis.store = studioStore
globalThis.sounding = transport
const live = createLiveLibrary(async () => [])

function Page() {
  const [said, announce] = useState('')
  return h(
    QueryClientProvider,
    { client: new QueryClient() },
    h(StudioProvider, {
      store: studioStore,
      live,
      openTab: () => {},
      announce,
      // biome-ignore lint/correctness/noChildrenProp: this file has no JSX, so that Node can read it
      children: h(Inside, { said }),
    }),
  )
}

function Inside({ said }: { said: string }) {
  const [exploring, setExploring] = useState(true)
  const entry = useStudio().state.document.entries[0]
  return h(
    'main',
    { className: 'flex h-dvh flex-col' },
    h('h1', { className: 'sr-only' }, 'Studio'),
    h('p', { id: 'said', className: 'sr-only' }, said),
    exploring && entry?.kind === 'connector'
      ? h('div', { className: 'min-h-0 flex-1' }, h(Explore, { entry, onClose: () => setExploring(false) }))
      : h('button', { type: 'button', onClick: () => setExploring(true) }, 'Explore'),
  )
}

createRoot(document.querySelector('#root') as HTMLElement).render(h(Page))
