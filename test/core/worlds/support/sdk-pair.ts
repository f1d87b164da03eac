import { createWorldHost, type WorldHost, type WorldHostOptions } from '#lib/core/worlds/sdk/host.ts'
import { MESSAGE } from '#lib/core/worlds/sdk/protocol.ts'
import { createWorldSdk, type WorldSdk, type WorldSdkOptions } from '#lib/core/worlds/sdk/runtime.ts'
import { type Mount, mount } from './fake-windows.ts'
import { type RecordingClient, recordingClient } from './recording-client.ts'

export const ALL = [
  ...[
    'dcn.connectors.read',
    'dcn.transformations.read',
    'dcn.conditions.read',
    'dcn.social.read',
    'dcn.execute',
  ],
]
export const TOKEN = 'ab'.repeat(16)

interface Pair extends RecordingClient {
  readonly at: Mount
  readonly host: WorldHost
  readonly sdk: WorldSdk
  readonly events: unknown[]
  readonly logged: unknown[][]
}

const open: { dispose(): void }[] = []

/** Has `disposeAll` end these after the test. */
export function disposeLater(...each: readonly { dispose(): void }[]): void {
  open.push(...each)
}

/** Ends what a test opened. */
export function disposeAll(): void {
  for (const each of open.splice(0)) each.dispose()
}

/** A page and a World in it that talk by the SDK. */
export function pair(
  options: Partial<WorldHostOptions> & { answer?: Parameters<typeof recordingClient>[0] } = {},
  world: Partial<WorldSdkOptions> = {},
): Pair {
  const at = mount('null', `http://assets.test/?dcnWorldChannel=${TOKEN}&worldChannel=${TOKEN}`)
  const recording = recordingClient(options.answer)
  const events: unknown[] = []
  const logged: unknown[][] = []
  const note = (...entry: unknown[]) => logged.push(entry)
  const host = createWorldHost({
    client: recording.client,
    permissions: ALL,
    channelToken: TOKEN,
    expectedOrigin: 'null',
    logger: { warn: note, error: note },
    onReady: (message) => events.push(['ready', message.worldId]),
    onRendered: (message) => events.push(['rendered', message.requestId]),
    onError: (message) => events.push(['error', message.message]),
    ...at.hostSide,
    ...options,
  })
  const sdk = createWorldSdk({ worldId: 'world', channelToken: TOKEN, ...at.worldSide, ...world })
  disposeLater(host, sdk)
  return { at, host, sdk, events, logged, ...recording }
}

/** Waits until every message in flight has arrived. */
export async function delivered() {
  for (let turn = 0; turn < 6; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** The result of a call, or its error's code and status. */
export function codeOf(promise: Promise<unknown>) {
  return promise.then(
    (result) => ({ result }),
    (error: { code: string; status?: number; message: string }) =>
      error.status === undefined ? error.code : `${error.code} ${error.status}`,
  )
}

/** Sends a call as it is, past the checks of the World's side, and waits for the answer. */
export async function ask(at: Mount, method: unknown, params: unknown): Promise<unknown> {
  const answer = new Promise((resolve) => {
    at.world.addEventListener('message', (event) => {
      const { data } = event as MessageEvent
      if (data.requestId === 'asked') resolve(data)
    })
  })
  const message = {
    type: MESSAGE.request,
    worldId: 'world',
    channelToken: TOKEN,
    requestId: 'asked',
    method,
    params,
  }
  at.page.receive(message, at.world.as(at.page), 'null')
  return answer
}
