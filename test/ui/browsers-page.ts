/* Parts that browsers take something away from, on a page of their own. */

import { createElement as h, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { browserLock } from '#lib/browser/browser-lock.ts'
import { openTabChannel } from '#lib/browser/tab-channel.ts'
import { CopyLink } from '#lib/ui/components/copy-link.tsx'
import { OtherName } from '#lib/ui/frame/other-name.tsx'
import { Boundary } from '#lib/ui/kit/boundary.tsx'
import { CopyButton } from '#lib/ui/kit/copy-button.tsx'
import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'

/** The page's API for its test. */
export interface BrowsersPage {
  /** Whether what the boundary holds throws, and whether the later part comes. */
  broken: boolean
  missing: boolean
  readonly browserLock: typeof browserLock
  readonly openTabChannel: typeof openTabChannel
}

const page = window as unknown as BrowsersPage
Object.assign(page, { broken: false, missing: true, browserLock, openTabChannel })

const later = laterPart('The graph', async () => {
  if (page.missing) {
    const error = new Error('Failed to load chunk /_next/static/chunks/graph.js from module 1')
    throw Object.assign(error, { name: 'ChunkLoadError' })
  }
  return Later
})

function Later({ text }: { text: string }) {
  return h('p', null, text)
}

function Picture() {
  if (page.broken) throw new Error('no number here')
  return h('p', null, 'a picture')
}

function Page() {
  const [round, setRound] = useState(0)
  const [asked, setAsked] = useState(false)
  return h(
    'main',
    null,
    h('button', { type: 'button', onClick: () => setRound(round + 1) }, `Round ${round}`),
    // biome-ignore lint/correctness/noChildrenProp: this file has no JSX, so that Node can read it
    h(Boundary, { what: 'The picture', children: h(Picture) }),
    h('button', { type: 'button', onClick: () => setAsked(true) }, 'Open the graph'),
    asked
      ? h(LoadLater<{ text: string }>, { part: later, props: { text: 'a graph' }, opening: 'Opening…' })
      : null,
    h(CopyButton, { text: '0xabc', what: 'address' }),
    h(CopyLink, { href: '/run/weave' }),
    h('button', { type: 'button', 'aria-pressed': true }, 'chosen'),
    h('button', { type: 'button', 'aria-pressed': false }, 'other'),
    h(OtherName, { siteOrigin: 'https://weft.example' }),
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(h(Page))
