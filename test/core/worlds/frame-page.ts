/* The frame of a World on a page of its own, driven from outside by `show`. */

import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import type { ClipType } from '#lib/core/worlds/sdk/protocol.ts'
import { patternOf } from '#lib/studio/sound/pattern-of.ts'
import { createTransport } from '#lib/studio/sound/transport.ts'
import { NetworkBadge, PermissionSheet } from '#lib/ui/world/permissions.tsx'
import { type DrawnRun, runPayload } from '#lib/ui/world/run-payload.ts'
import type { CaptureOffer } from '#lib/ui/world/use-capture.ts'
import { WorldFrame } from '#lib/ui/world/world-frame.tsx'
import type { FramedWorld } from '#lib/views/framed-world.ts'

/** The page's API for its test driver. */
export interface FramePage {
  /** The World comes from the address of the page; a new run is a new state. */
  show: (run: DrawnRun | undefined) => void
  /** Records what the World shows and what the page plays, one note over and over: the clip as a data URL, and the note. */
  clip: (type: ClipType, seconds: number) => Promise<{ readonly url: string; readonly note: number }>
  /** Direction and type of every message. */
  messages: string[]
  /** Counts the turns of the page's own clock, every 50 milliseconds. */
  ticks: number
}

const page = window as unknown as FramePage
const world = JSON.parse(new URL(location.href).searchParams.get('world') ?? '{}') as FramedWorld
const root = createRoot(document.getElementById('root')!)
const transport = createTransport()
transport.load({
  key: 'voice',
  name: 'Voice',
  streams: [{ path: '/voice:0', data: Array(64).fill(9) }],
  sound: { paths: [{ path: '0', instrument: 'keys' }] },
  onSound: () => {},
})
let offer: CaptureOffer | undefined
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
      record: transport.record,
      onOffer: (next) => {
        offer = next
      },
      onMessage: ({ from, type }) => page.messages.push(`${from} ${type}`),
    }),
    createElement(NetworkBadge, { key: 'badge' }),
    createElement(PermissionSheet, { key: 'sheet', permissions: world.permissions }),
  ])
page.show(undefined)

page.clip = async (type, seconds) => {
  // A clip is as loud as the mix, also where its maker listens to nothing.
  transport.setVolume(0)
  const sound = await transport.record()
  const clip = await offer!.capture('clip', seconds, { type, sound: sound.track, onStart: sound.play })
  sound.end()
  const [note] = patternOf(transport.getState().arrangement!, 0).tracks[0]!.notes
  const reader = new FileReader()
  const read = new Promise((resolve) => reader.addEventListener('load', resolve))
  reader.readAsDataURL(clip)
  await read
  return { url: String(reader.result), note: note! }
}
