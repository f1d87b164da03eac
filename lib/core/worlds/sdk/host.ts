import { canonicalPermission, type WorldLimits } from '#lib/protocol/world-manifest.ts'
import { BadArguments } from './call-arguments.ts'
import { createCapturer } from './capture.ts'
import { type Envelope, isFields, isName, readEnvelope } from './envelope.ts'
import { callOf, METHODS } from './methods.ts'
import {
  type Capture,
  type CaptureKind,
  type ConnectorInfo,
  DIALECTS,
  type Dialect,
  MESSAGE,
  ORIGIN_PARAMETER,
  PROTOCOL_VERSION,
  spelled,
  TOKEN_PARAMETERS,
  type WorldCalls,
  type WorldRpcError,
  type WorldState,
  type WorldTransport,
} from './protocol.ts'

/** @public Pages that host Worlds tell its errors apart. */
export { WorldCaptureError } from './capture.ts'
export { ApiError, ChainClient as DcnClient, ChainClient as DecentralisedArtClient } from './chain-client.ts'

export interface WorldHostOptions {
  /** Client that answers the calls of the World; it alone talks to the network. */
  readonly client: WorldCalls
  /** Permissions of the World's manifest, in either spelling. Never taken from messages of the World. */
  readonly permissions: readonly string[]
  /** When unset, the id that the World's first `ready` names. */
  readonly worldId?: string
  readonly valueLimits?: WorldLimits
  /** The frame of the World; or the window itself, as `targetWindow`. */
  readonly iframe?: { readonly contentWindow: Window | null }
  readonly targetWindow?: Window
  /** Target of `message` events; by default this window. */
  readonly listenWindow?: Pick<Window, 'addEventListener' | 'removeEventListener'>
  /** For messages to the World; sandboxed frames have none, and then it is `*`. */
  readonly targetOrigin?: string
  /** Origin that messages of the World must have; `"null"` for sandboxed frames. */
  readonly expectedOrigin?: string
  /** 32 hexadecimal digits; by default random for each mount. */
  readonly channelToken?: string
  readonly logger?: Logger
  /** Messages handled per second; by default 1000. Those beyond it are dropped. */
  readonly maxMessagesPerSecond?: number
  /** The World is ready, also after it has reloaded: push its state. */
  readonly onReady?: (message: {
    readonly worldId: string
    readonly protocolVersion: number
    /** Kinds that `capture` can be called for. */
    readonly captures: readonly CaptureKind[]
  }) => void
  readonly onError?: (message: { readonly message: string }) => void
  readonly onRendered?: (message: { readonly requestId?: string }) => void
  /** The World sends more than `maxMessagesPerSecond`; called once a second, together with `onError`. */
  readonly onFlood?: () => void
  /** Every message accepted or sent, without the token and the pixels of frames, for inspectors. */
  readonly onMessage?: (message: WorldMessage) => void
}

/** One message between a page and its World, without the token. */
export interface WorldMessage {
  readonly from: 'world' | 'page'
  /** One of `MESSAGE` from the page; from a World whatever it calls it. */
  readonly type: string
  readonly fields: Readonly<Record<string, unknown>>
}

export interface WorldHost {
  /** Id of the World in the frame; empty until it is known. */
  readonly worldId: string
  readonly channelToken: string
  /** The entry page's URL with the token. Set it as the frame's `src` once this object exists. */
  worldUrl(url: string): string
  /** Sends state to the World; dropped silently before its id is known. @throws DataCloneError */
  pushState(state: WorldState): void
  /** Sends where the page's sound is; dropped silently before the World's id is known. */
  pushTransport(transport: WorldTransport): void
  /** Grants the World read access to these connectors without prompting. */
  pushConnectors(connectors: Readonly<Record<string, ConnectorInfo>>): void
  /**
   * Takes a picture (PNG) or a clip of what the World shows: one at a time, within limits of size and time. A picture is
   * checked by its content; a clip is recorded here, of frames that the World answers with.
   *
   * @param seconds Length of a clip, 1..30; 5 by default.
   * @param options Sides of a picture, 1..4096; by default as large as it is shown. A World whose canvas keeps its size
   *   answers in that. Of a clip its `type`, its `sound`, and what is called when its recording begins.
   * @throws {WorldCaptureError}
   */
  readonly capture: Capture
  /** Stops listening. */
  dispose(): void
}

const MAX_ERROR_TEXT = 2000

/**
 * The page's side of one World in one frame: answers its calls within its permissions and sends it state.
 *
 * @example
 * const host = createWorldHost({ client: new DcnClient(), iframe, permissions: world.permissions,
 *   valueLimits: world.valueLimits, expectedOrigin: 'null', onReady: () => host.pushState({ payload }) })
 * iframe.src = host.worldUrl(entryUrl)
 */
export function createWorldHost(options: WorldHostOptions): WorldHost {
  const logger = options.logger ?? console
  const listenWindow = options.listenWindow ?? window
  const channelToken = options.channelToken ?? randomToken()
  const broker = createBroker({
    client: options.client,
    permissions: new Set(options.permissions.map((name) => canonicalPermission(name) ?? name)),
    valueLimits: options.valueLimits,
    logger,
  })
  const admit = createRateLimit(options.maxMessagesPerSecond ?? 1000)
  let worldId = options.worldId
  let targetOrigin = options.targetOrigin
  let ready = false
  let disposed = false
  /** Dialect of the World's `ready`. */
  let dialect: Dialect = DIALECTS[0]

  const target = () => options.iframe?.contentWindow ?? options.targetWindow ?? null

  const post = (type: string, fields: Readonly<Record<string, unknown>>, id = worldId, by = dialect) => {
    if (disposed || id === undefined) return
    const message = { ...fields, type: spelled(type, by), worldId: id, channelToken }
    target()?.postMessage(message, targetOrigin ?? '*')
    notify(options.onMessage, { from: 'page', type, fields: { ...fields, worldId: id } })
  }

  const notify = <M>(listener: ((message: M) => void) | undefined, message: NoInfer<M>) => {
    try {
      listener?.(message)
    } catch (error) {
      logger.error('A listener of the World host failed', error)
    }
  }

  const answer = (requestId: string, outcome: RpcOutcome, { worldId: id, dialect: by }: Envelope) => {
    try {
      post(MESSAGE.response, { requestId, ...outcome }, id, by)
    } catch (error) {
      logger.error('An answer to the World could not be sent', error)
      post(MESSAGE.response, { requestId, ...refuse('host_error', 'The page could not answer') }, id, by)
    }
  }

  const capturer = createCapturer((type, fields) => post(type, fields))

  const handleReady = ({ worldId: announced, dialect: spoken, fields }: Envelope, origin: string) => {
    if (fields.protocolVersion !== PROTOCOL_VERSION) return
    worldId = announced
    dialect = spoken ?? dialect
    ready = true
    if (targetOrigin === undefined && origin === 'null') {
      logger.warn('The World has no origin of its own: messages to it are sent to any')
      targetOrigin = '*'
    }
    const captures = capturer.announce(fields.captures)
    notify(options.onReady, { worldId: announced, protocolVersion: PROTOCOL_VERSION, captures })
  }

  const handle = (envelope: Envelope, origin: string) => {
    const { type, fields } = envelope
    const requestId = isName(fields.requestId) ? fields.requestId : undefined
    if (type === MESSAGE.ready) handleReady(envelope, origin)
    else if (type === MESSAGE.request && requestId !== undefined) {
      if (!ready) return answer(requestId, refuse('bad_request', 'Call ready() first'), envelope)
      void broker(fields.method, fields.params).then((outcome) => answer(requestId, outcome, envelope))
    } else if (!ready) return
    else if (type === MESSAGE.captured) capturer.answer(fields)
    else if (type === MESSAGE.rendered)
      notify(options.onRendered, requestId === undefined ? {} : { requestId })
    else if (type === MESSAGE.error && typeof fields.message === 'string') {
      notify(options.onError, { message: fields.message.slice(0, MAX_ERROR_TEXT) })
    }
  }

  const onMessage = (event: MessageEvent) => {
    // Last, because reading the data is what costs.
    const source = target()
    if (source === null || event.source !== source) return
    if (options.expectedOrigin !== undefined && event.origin !== options.expectedOrigin) return
    const admission = admit()
    if (admission === 'exceeded') {
      notify(options.onError, { message: 'The World sends too many messages' })
      notify(options.onFlood, undefined)
    }
    if (admission !== 'accepted') return
    const envelope = readEnvelope(event.data)
    if (envelope?.channelToken !== channelToken) return
    if (worldId !== undefined && envelope.worldId !== worldId) return
    if (envelope.fields.repeated === true) return
    if (options.onMessage !== undefined) {
      const { channelToken: _token, type: _type, pixels: _pixels, ...fields } = envelope.fields
      notify(options.onMessage, { from: 'world', type: envelope.type, fields })
    }
    handle(envelope, event.origin)
  }

  listenWindow.addEventListener('message', onMessage as EventListener)
  return {
    get worldId() {
      return worldId ?? ''
    },
    channelToken,
    worldUrl: (url) => withToken(url, channelToken),
    pushState: ({ payload, seed, requestId }) =>
      post(MESSAGE.state, {
        ...(requestId !== undefined && { requestId }),
        ...(payload !== undefined && { payload }),
        ...(seed !== undefined && { seed }),
      }),
    pushTransport: (transport) => post(MESSAGE.transport, { ...transport }),
    pushConnectors: (connectors) => post(MESSAGE.state, { seed: { connectors } }),
    capture: capturer.capture,
    dispose: () => {
      disposed = true
      capturer.dispose()
      listenWindow.removeEventListener('message', onMessage as EventListener)
    },
  }
}

function withToken(url: string, token: string): string {
  const page = typeof document === 'undefined' ? undefined : document.baseURI
  const result = new URL(url, page)
  for (const name of TOKEN_PARAMETERS) result.searchParams.set(name, token)
  if (page !== undefined) result.searchParams.set(ORIGIN_PARAMETER, new URL(page).origin)
  return result.href
}

function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** `exceeded` for the first message beyond the limit, then `dropped` until the second is over. */
type Admission = 'accepted' | 'exceeded' | 'dropped'

/** Accepts this many messages per second. */
function createRateLimit(perSecond: number): () => Admission {
  let began = performance.now()
  let count = 0
  return () => {
    const now = performance.now()
    if (now - began >= 1000) {
      began = now
      count = 0
    }
    count += 1
    if (count <= perSecond) return 'accepted'
    return count === perSecond + 1 ? 'exceeded' : 'dropped'
  }
}

type Logger = Pick<Console, 'warn' | 'error'>

type RpcOutcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: WorldRpcError }

/** Answers calls of a World; never throws. */
type Broker = (method: unknown, params: unknown) => Promise<RpcOutcome>

interface BrokerOptions {
  readonly client: WorldCalls
  /** Canonical names. */
  readonly permissions: ReadonlySet<string>
  readonly valueLimits: WorldLimits | undefined
  readonly logger: Logger
}

/** Concurrent calls of one World, which needs a handful; each may cost the server seconds. */
const MAX_IN_FLIGHT = 32

/** Handles the calls of a World: checks permission and arguments, and hides internal errors. */
function createBroker({ client, permissions, valueLimits, logger }: BrokerOptions): Broker {
  let inFlight = 0
  return async (name, params) => {
    if (!isName(name)) return refuse('bad_request', 'method must be the name of a method')
    const method = METHODS.get(name)
    if (method === undefined) return refuse('unknown_method', `There is no method ${name}`)
    if (!permissions.has(method.permission)) {
      return refuse('permission_denied', `${name} needs the permission ${method.permission}`)
    }
    if (inFlight >= MAX_IN_FLIGHT) {
      return refuse('host_error', `More than ${MAX_IN_FLIGHT} calls are under way`, 429)
    }
    inFlight += 1
    try {
      const args = method.read(isFields(params) ? params : {}, valueLimits)
      return { ok: true, result: await callOf(client, name, args) }
    } catch (error) {
      if (error instanceof BadArguments) return refuse('bad_request', error.message)
      const status = statusOf(error)
      if (status !== undefined)
        return refuse('host_error', `The chain API answered with status ${status}`, status)
      logger.error('A call of the World failed', error)
      return refuse('host_error', 'The page could not answer')
    } finally {
      inFlight -= 1
    }
  }
}

/** The response to a refused call. */
function refuse(code: WorldRpcError['code'], message: string, status?: number): RpcOutcome {
  return { ok: false, error: { code, message, ...(status !== undefined && { status }) } }
}

/** The HTTP status that clients put on their errors. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('status' in error)) return undefined
  const { status } = error
  return Number.isInteger(status) && (status as number) >= 100 && (status as number) <= 599
    ? (status as number)
    : undefined
}
