import { createElement as h, useState } from 'react'
import { createLiveLibrary } from '#lib/studio/library/live-library.ts'
import type { Transport } from '#lib/studio/sound/transport.ts'
import { pageSound } from '#lib/ui/studio/common/page.ts'
import { useDocument } from '#lib/ui/studio/common/session.tsx'
import { Explore } from '#lib/ui/studio/explore/explore.tsx'
import { drawStudio } from '../studio-page.ts'

/* The contact sheet of a document's first entry, as the result pane holds it. */

declare global {
  var sounding: Transport
}

globalThis.sounding = pageSound().transport

function Inside({ said }: { said: string }) {
  const [exploring, setExploring] = useState(true)
  const entry = useDocument().entries[0]
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

drawStudio(
  Inside,
  createLiveLibrary(async () => []),
)
