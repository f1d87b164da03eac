import { createElement as h } from 'react'
import { createLiveLibrary, readEntities } from '#lib/studio/library/live-library.ts'
import { pageSound } from '#lib/ui/studio/common/page.ts'
import { useDocument } from '#lib/ui/studio/common/session.tsx'
import { EntryEditor } from '#lib/ui/studio/shell/entry-editor.tsx'
import { ResultPane } from '#lib/ui/studio/shell/result-pane.tsx'
import { drawStudio } from '../studio-page.ts'

/* The editor of a connector beside its result: the engine of the browser, and the network that the test's server has. */

declare global {
  /** The values that would sound now, a list for each path. */
  var heard: () => readonly (readonly number[])[]
}

globalThis.heard = () =>
  pageSound()
    .transport.getState()
    .source?.streams.map(({ data }) => data) ?? []

function Inside({ said }: { said: string }) {
  const [entry] = useDocument().entries
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

drawStudio(Inside, createLiveLibrary(readEntities))
