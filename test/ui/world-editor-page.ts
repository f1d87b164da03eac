/* The editor of Worlds: of a new one, of a remix, or of the next version of a World. */

import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'
import { siteSession } from '#lib/ui/wallet/session/browser-store.ts'
import { WorldEditor } from '#lib/ui/world-editor/world-editor.tsx'
import type { WorldSourceView } from '#lib/views/world-source.ts'

const source: WorldSourceView = {
  id: 'wld_lines',
  slug: 'lines',
  name: 'Lines',
  owner: '0x00000000000000000000000000000000000000aa',
  files: [
    { path: 'index.html', size: 90, text: true },
    { path: 'world-manifest.json', size: 300, text: true },
  ],
}
void siteSession.refresh()
const isOld = location.search !== ''
createRoot(document.getElementById('root') as HTMLElement).render(
  h('main', null, h('h1', null, 'Editor'), h(WorldEditor, isOld ? { source } : {})),
)
