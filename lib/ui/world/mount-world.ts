import { createWorldHost, DcnClient, type WorldMessage } from '#lib/core/worlds/sdk/host.ts'
import { callOf, METHODS } from '#lib/core/worlds/sdk/methods.ts'
import type { Capture, CaptureKind, WorldCalls, WorldTransport } from '#lib/core/worlds/sdk/protocol.ts'
import { canonicalPermission } from '#lib/protocol/world-manifest.ts'
import type { RunPayload } from '#lib/studio/runs/run.ts'
import type { FramedWorld } from '#lib/views/framed-world.ts'
import { addressed } from './run-payload.ts'

export interface MountHandlers {
  /** The World is ready; also after its page has reloaded. */
  readonly onReady: (captures: readonly CaptureKind[]) => void
  readonly onRendered: () => void
  readonly onError: (message: string) => void
  /** The World exceeds the message rate and is to be stopped. */
  readonly onFlood: () => void
  readonly onMessage: (message: WorldMessage) => void
}

export interface MountedWorld {
  /** Sends what the World is to draw; before it is ready, nothing happens. */
  push(payload: RunPayload): void
  /** Sends where the page's sound is. */
  follow(transport: WorldTransport): void
  /** A picture or a clip of what the World shows. @throws {WorldCaptureError} */
  readonly capture: Capture
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
    onReady: ({ captures }) => handlers.onReady(captures),
    onRendered: handlers.onRendered,
    onError: ({ message }) => handlers.onError(message.trim().slice(0, MAX_ERROR)),
    onFlood: handlers.onFlood,
    onMessage: handlers.onMessage,
  })
  iframe.src = host.worldUrl(themed(world.entryUrl, getComputedStyle(iframe).colorScheme))
  return {
    push: (payload) => host.pushState({ requestId: `state-${++states}`, payload: addressed(world, payload) }),
    follow: (transport) => host.pushTransport(transport),
    capture: (...what) => host.capture(...what),
    dispose: () => host.dispose(),
  }
}

/** An address with the theme that the reader chose for the page; browsers do not tell a frame of another origin. */
function themed(url: string, scheme: string): string {
  if (scheme !== 'light' && scheme !== 'dark') return url
  const address = new URL(url, document.baseURI)
  address.searchParams.set('theme', scheme)
  return address.href
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

/** A token bucket. */
interface Pace {
  readonly burst: number
  readonly perSecond: number
}

const READS: Pace = { burst: 60, perSecond: 20 }
/** A run costs the server as much as a hundred reads. */
const RUNS: Pace = { burst: 8, perSecond: 4 }

/**
 * Rate-limits the calls of one World. Calls beyond the limit wait: with the host's limit of
 * 32 in flight, none waits longer than a World's timeout.
 *
 * @param sleep Resolves after this many milliseconds.
 * @param now Milliseconds of a clock that only goes forward.
 */
export function pacedCalls(
  client: WorldCalls,
  sleep: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  now: () => number = () => performance.now(),
): WorldCalls {
  const reads = createPacer(READS, now)
  const runs = createPacer(RUNS, now)
  const calls = [...METHODS].map(([name, { permission }]) => {
    const delay = permission === 'dcn.execute' ? runs : reads
    const paced = async (...args: readonly unknown[]) => {
      const ms = delay()
      if (ms > 0) await sleep(ms)
      return callOf(client, name, args)
    }
    return [name, paced]
  })
  return Object.fromEntries(calls) as WorldCalls
}

/** Reserves the next call and returns the milliseconds it must wait. */
export function createPacer({ burst, perSecond }: Pace, now: () => number): () => number {
  const each = 1000 / perSecond
  /** When as many as `burst` may go at once again. */
  let full = Number.NEGATIVE_INFINITY
  return () => {
    const time = now()
    full = Math.max(full, time) + each
    return Math.max(0, full - time - burst * each)
  }
}
