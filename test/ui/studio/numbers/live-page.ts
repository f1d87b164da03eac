import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'
import type { Presentation } from '#lib/protocol/presentation.ts'
import { EmbedPlayer } from '#lib/ui/piece/embed-player.tsx'
import { pageSound } from '#lib/ui/studio/common/page.ts'
import { LiveRun } from '#lib/ui/studio/live/live-run.tsx'

/* A published connector as public pages play it, drawn by the World that the hash names; and as other sites do: a run of it. */

globalThis.heard = () =>
  pageSound()
    .transport.getState()
    .source?.streams.map(({ data }) => data) ?? []

/** Presentation with two slots, of which the connector of the second is chosen. */
const PIECE: Presentation = {
  ...{ particles: 8, tempo: 120, loop: true },
  world: { bundle_hash: 'ab'.repeat(32), slug: 'pairs', slots: [{ slot: 'two', connector: 'ladder' }] },
}

const player = location.hash.startsWith('#run')
  ? h(EmbedPlayer, {
      name: 'ladder',
      starts: [{ position: 1, startPoint: 2, transformationShift: 0 }],
      steps: 8,
      streams: [],
    })
  : h(LiveRun, {
      name: 'ladder',
      ...(location.hash === '#piece'
        ? { present: PIECE }
        : location.hash !== '' && { world: location.hash.slice(1) }),
      onKeep: (href) => {
        document.body.dataset.kept = href
      },
    })

createRoot(document.querySelector('#root') as HTMLElement).render(
  h('main', { className: 'p-4' }, h('h1', null, 'A page'), player),
)
