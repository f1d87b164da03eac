import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement as h, type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { browserMemory } from '#lib/browser/memory.ts'
import { createStudioStore, type StudioStore } from '#lib/studio/document/store.ts'
import { EMPTY_VIEW, type StudioDocument, withTab } from '#lib/studio/document/types.ts'
import { createProgressStores } from '#lib/studio/lessons/progress.ts'
import type { LiveLibrary } from '#lib/studio/library/live-library.ts'
import { createSession } from '#lib/studio/session.ts'
import { pageEngine, pageSound } from '#lib/ui/studio/common/page.ts'
import { SessionProvider } from '#lib/ui/studio/common/session.tsx'

declare global {
  var studioDocument: StudioDocument
  var store: StudioStore
}

interface Drawn {
  /** Gets what was announced last. */
  readonly inside: (props: { said: string }) => ReactNode
  readonly live: LiveLibrary
}

/**
 * Draws a part of the studio on a page of its own, for tests in a browser: a document handed over by the test, with its
 * first entry open, and the store in reach of it.
 */
export function drawStudio(inside: Drawn['inside'], live: LiveLibrary): void {
  const [first] = globalThis.studioDocument.entries
  const view = first === undefined ? EMPTY_VIEW : withTab(EMPTY_VIEW, { kind: 'entry', entryId: first.id })
  globalThis.store = createStudioStore({ document: globalThis.studioDocument, view })
  live.start()
  createRoot(document.querySelector('#root') as HTMLElement).render(h(Page, { inside, live }))
}

const lessons = createProgressStores(browserMemory)

function Page({ inside, live }: Drawn) {
  const [said, announce] = useState('')
  const [client] = useState(() => new QueryClient())
  const [session] = useState(() =>
    createSession(
      { engine: pageEngine, sound: pageSound(), library: live, announce, lessons },
      globalThis.store,
    ),
  )
  return h(
    QueryClientProvider,
    { client },
    h(SessionProvider, {
      value: session,
      // biome-ignore lint/correctness/noChildrenProp: this file has no JSX, so that Node can read it
      children: h(inside, { said }),
    }),
  )
}
