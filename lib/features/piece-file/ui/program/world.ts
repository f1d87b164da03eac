import { createWorldHost } from '#lib/core/worlds/sdk/host.ts'
import type { WorldCalls, WorldTransport } from '#lib/core/worlds/sdk/protocol.ts'
import type { RunPayload } from '#lib/studio/runs/run.ts'
import { frameAttributes, pacedCalls } from '#lib/ui/world/mount-world.ts'
import { addressed } from '#lib/ui/world/run-payload.ts'
import type { WorldData } from '../../data.ts'

/** Policy of the frame beside the file's own: the World has its own files, and the page that shows it. */
const POLICY = [
  "default-src 'none'",
  "script-src blob: 'wasm-unsafe-eval'",
  "worker-src 'none'",
  "style-src 'unsafe-inline' blob:",
  'img-src data: blob:',
  'media-src data: blob:',
  'font-src data: blob:',
  'connect-src data: blob:',
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "webrtc 'block'",
].join('; ')

export interface PlayedWorld {
  /** Sends what the World is to draw. */
  push(payload: RunPayload): void
  /** Sends where the sound is. */
  follow(transport: WorldTransport): void
}

/** Mounts the World of a file in a sandboxed frame. */
export function mountFileWorld(
  place: HTMLElement,
  world: WorldData,
  frameScript: string,
  calls: WorldCalls,
  onProblem: (message: string) => void,
): PlayedWorld {
  const frame = document.createElement('iframe')
  const { sandbox, allow } = frameAttributes(world.permissions)
  frame.setAttribute('sandbox', sandbox)
  frame.allow = allow
  frame.title = world.name
  frame.referrerPolicy = 'no-referrer'
  let waiting: RunPayload | undefined
  let isReady = false
  let sound: WorldTransport | undefined
  let states = 0
  const identity = { id: world.bundleHash, name: world.name }
  const push = (payload: RunPayload) => {
    waiting = payload
    states += 1
    if (isReady) host.pushState({ requestId: `state-${states}`, payload: addressed(identity, payload) })
  }
  place.replaceChildren(frame)
  const host = createWorldHost({
    client: pacedCalls(calls),
    iframe: frame,
    permissions: world.permissions,
    ...(world.valueLimits && { valueLimits: world.valueLimits }),
    expectedOrigin: 'null',
    targetOrigin: '*',
    onReady: () => {
      isReady = true
      frame.dataset.ready = ''
      if (waiting) push(waiting)
      if (sound) host.pushTransport(sound)
    },
    onRendered: () => {
      frame.dataset.rendered = ''
    },
    onError: ({ message }) => onProblem(message.trim().slice(0, 300)),
    onFlood: () => {
      host.dispose()
      frame.remove()
      onProblem('The World sent too many messages and was stopped.')
    },
  })
  const opening = JSON.stringify({ world, token: host.channelToken, policy: POLICY }).replaceAll(
    '<',
    '\\u003c',
  )
  frame.srcdoc =
    '<!doctype html><meta charset="utf-8"><meta http-equiv="x-dns-prefetch-control" content="off">' +
    `<script type="application/json" id="weft-opening">${opening}</script><script>${frameScript}</script>`
  return {
    push,
    follow: (transport) => {
      sound = { ...sound, ...transport }
      if (isReady) host.pushTransport(transport)
    },
  }
}
