import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'
import { LiveRun } from '../../../lib/ui/studio/live/live-run.tsx'
import { transport } from '../../../lib/ui/studio/transport/transport.ts'

/* A published connector as public pages play it. */

globalThis.heard = () => transport.getState().source?.streams.map(({ data }) => data) ?? []

createRoot(document.querySelector('#root') as HTMLElement).render(
  h(
    'main',
    { className: 'p-4' },
    h('h1', null, 'A page'),
    h(LiveRun, {
      name: 'ladder',
      onKeep: (href) => {
        document.body.dataset.kept = href
      },
    }),
  ),
)
