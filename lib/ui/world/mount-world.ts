import { canonicalPermission } from '../../protocol/world-manifest.ts'
import type { FramedWorld } from '../../views/framed-world.ts'
import { createWorldHost, DcnClient, type WorldMessage } from '../../worlds/sdk/host.ts'
import type { WorldCalls, WorldStatePayload } from '../../worlds/sdk/protocol.ts'
import { pacedCalls } from './paced-calls.ts'

export interface MountHandlers {
  /** The World is ready; also after its page has reloaded. */
  readonly onReady: () => void
  readonly onRendered: () => void
  readonly onError: (message: string) => void
  /** The World exceeds the message rate and is to be stopped. */
  readonly onFlood: () => void
  readonly onMessage: (message: WorldMessage) => void
}

export interface MountedWorld {
  /** Sends what the World is to draw; before it is ready, nothing happens. */
  push(payload: WorldStatePayload): void
  /** Stops listening. The frame itself is the caller's to remove. */
  dispose(): void
}

/** Longest text of a World's error that is shown. */
const MAX_ERROR = 300

/**
 * Loads a World into a frame that has no address yet, and answers it within its permissions. Nothing of the frame but
 * its address is set here: `frameAttributes` are the rest.
 *
 * @param calls What answers the World, instead of this site's own chain API.
 */
export function mountWorld(
  iframe: HTMLIFrameElement,
  world: FramedWorld,
  handlers: MountHandlers,
  calls: WorldCalls = new DcnClient({ baseUrl: '/chain' }),
): MountedWorld {
  let states = 0
  const host = createWorldHost({
    client: pacedCalls(calls),
    iframe,
    permissions: world.permissions,
    ...(world.valueLimits && { valueLimits: world.valueLimits }),
    expectedOrigin: 'null',
    targetOrigin: '*',
    onReady: handlers.onReady,
    onRendered: handlers.onRendered,
    onError: ({ message }) => handlers.onError(message.trim().slice(0, MAX_ERROR)),
    onFlood: handlers.onFlood,
    onMessage: handlers.onMessage,
  })
  iframe.src = host.worldUrl(world.entryUrl)
  return {
    push: (payload) => host.pushState({ requestId: `state-${++states}`, payload }),
    dispose: () => host.dispose(),
  }
}

/** The walls of the frame itself. It never gets `allow-same-origin`. */
export function frameAttributes(permissions: readonly string[]): { sandbox: string; allow: string } {
  const has = new Set(permissions.map(canonicalPermission))
  return {
    sandbox: has.has('browser.downloads') ? 'allow-scripts allow-downloads' : 'allow-scripts',
    // The frame's origin is opaque, so no narrower list would ever match it; `frame-src` restricts what may be inside.
    allow: has.has('browser.audio') ? 'autoplay *' : '',
  }
}
