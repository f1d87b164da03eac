/* The frame of a World on a page of its own, driven from outside by `show`. */

import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { NetworkBadge, PermissionSheet } from '#lib/ui/world/permissions.tsx'
import { type DrawnRun, runPayload } from '#lib/ui/world/run-payload.ts'
import { WorldFrame } from '#lib/ui/world/world-frame.tsx'
import type { FramedWorld } from '#lib/views/framed-world.ts'

/** The page's API for its test driver. */
export interface FramePage {
  /** The World comes from the address of the page; a new run is a new state. */
  show: (run: DrawnRun | undefined) => void
  /** Direction and type of every message. */
  messages: string[]
  /** Counts the turns of the page's own clock, every 50 milliseconds. */
  ticks: number
}

const page = window as unknown as FramePage
const world = JSON.parse(new URL(location.href).searchParams.get('world') ?? '{}') as FramedWorld
const root = createRoot(document.getElementById('root')!)
page.messages = []
page.ticks = 0
setInterval(() => {
  page.ticks += 1
}, 50)

page.show = (run) =>
  root.render([
    createElement(WorldFrame, {
      key: 'frame',
      world,
      payload: run && runPayload(run),
      onMessage: ({ from, type }) => page.messages.push(`${from} ${type}`),
    }),
    createElement(NetworkBadge, { key: 'badge' }),
    createElement(PermissionSheet, { key: 'sheet', permissions: world.permissions }),
  ])
page.show(undefined)
