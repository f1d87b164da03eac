import { type CapturedCanvas, makeCapture } from './canvas-capture.ts'
import { type Envelope, type Fields, isFields, isName, readEnvelope } from './envelope.ts'
import { findParentOrigin, findToken, takeTheme } from './frame-address.ts'
import {
  CAPTURE_REQUESTS,
  type CodeInfo,
  type ConnectorInfo,
  DIALECTS,
  type Dialect,
  MAX_PICTURE_SIDE,
  MESSAGE,
  PROTOCOL_VERSION,
  spelled,
  type WorldCalls,
  type WorldRpcErrorCode,
  type WorldState,
  type WorldTransport,
} from './protocol.ts'

export interface WorldSdkOptions {
  /** Any id; the page adopts it. */
  readonly worldId: string
  /** The host page; by default the parent of this window. */
  readonly targetWindow?: Window
  /** Target origin of messages; detected by default. */
  readonly targetOrigin?: string
  readonly listenWindow?: Window
  /** Required origin of received messages; detected by default. */
  readonly expectedOrigin?: string
  /** By default from the URL of the frame. */
  readonly channelToken?: string
  /** 15000 by default; 0 or less disables the timeout. */
  readonly requestTimeoutMs?: number
}

export interface WorldSdk extends WorldCalls {
  readonly worldId: string
  /** Announces that this World listens. Subscribe to state first. */
  ready(): void
  reportError(message: string): void
  /** Reports that a state has been rendered. @param requestId That of the state. */
  reportRendered(requestId?: string): void
  /** @returns a function that unsubscribes. */
  onState(callback: (state: WorldState) => void): () => void
  /**
   * Calls back with where the page's sound is, whenever that changes, and once with what is known by then. A page without
   * a transport of its own sends nothing; where one does, a World offers no Play and makes no sound by itself.
   *
   * @returns a function that unsubscribes.
   */
  onTransport(callback: (transport: WorldTransport) => void): () => void
  /**
   * Lets the page take pictures and clips of a canvas. Call it before `ready()`, which announces it; a later call takes
   * another canvas in its place.
   *
   * @param draw Draws the canvas at once: WebGL needs it.
   */
  offerCapture(canvas: HTMLCanvasElement, draw?: () => void): void
  /** Stops listening; calls under way and later ones reject. */
  dispose(): void
}

/** A call that the page refused, or that it did not answer in time. */
export class WorldRpcCallError extends Error {
  override readonly name = 'WorldRpcCallError'
  readonly code: WorldRpcErrorCode
  /** HTTP status of the chain API, with `host_error`. */
  readonly status: number | undefined

  constructor(code: WorldRpcErrorCode, message: string, status?: number) {
    super(message)
    this.code = code
    this.status = status
  }
}

interface Pending {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: WorldRpcCallError) => void
  readonly timer: ReturnType<typeof setTimeout> | undefined
}

const DEFAULT_TIMEOUT_MS = 15_000
const KINDS = ['connectors', 'transformations', 'conditions'] as const
type Kind = (typeof KINDS)[number]
type Info = ConnectorInfo | CodeInfo

/**
 * The World's side: everything a World does with the page that shows it. Create it once.
 *
 * @throws {Error} Without `worldId`, or when neither options nor URL carry a token.
 * @example
 * const sdk = createWorldSdk({ worldId: 'my-world' })
 * sdk.onState(({ payload, requestId }) => { draw(payload?.executeOutput ?? []); sdk.reportRendered(requestId) })
 * sdk.ready()
 */
export function createWorldSdk(options: WorldSdkOptions): WorldSdk {
  const { worldId, requestTimeoutMs = DEFAULT_TIMEOUT_MS } = options
  if (!isName(worldId)) throw new Error('createWorldSdk needs a worldId')
  const listenWindow = options.listenWindow ?? window
  const targetWindow = options.targetWindow ?? listenWindow.parent
  const inUrl = findToken(listenWindow.location)
  const channelToken = options.channelToken ?? inUrl?.token
  if (!isName(channelToken)) {
    throw new Error(
      'There is no channel token: Worlds run in a frame whose URL comes from worldUrl() of the host',
    )
  }
  const parentOrigin = findParentOrigin(listenWindow)
  takeTheme(listenWindow)
  const targetOrigin = options.targetOrigin ?? parentOrigin ?? '*'
  const expectedOrigin = options.expectedOrigin ?? options.targetOrigin ?? parentOrigin

  const listeners = new Set<(state: WorldState) => void>()
  const followers = new Set<(transport: WorldTransport) => void>()
  let transport: WorldTransport | undefined
  const pending = new Map<string, Pending>()
  const known = new Map<Kind, Map<string, Promise<Info>>>(KINDS.map((kind) => [kind, new Map()]))
  const session = Math.random().toString(36).slice(2, 10)
  let calls = 0
  let disposed = false
  let captured: CapturedCanvas | undefined
  let capturing = false
  /** Dialect of the page's messages, before the first the one that its URL implies; undefined where that implies none. */
  let dialect = inUrl?.dialect

  const post = (type: string, fields: Fields = {}, transfer: Transferable[] = []) => {
    if (disposed) return
    const send = (by: Dialect, more: Fields = {}) =>
      targetWindow.postMessage(
        { ...fields, ...more, type: spelled(type, by), worldId, channelToken },
        targetOrigin,
        transfer,
      )
    if (dialect !== undefined) return send(dialect)
    // A page of either age takes the one that it knows; one that knows both takes the first.
    DIALECTS.forEach((by, index) => {
      send(by, index === 0 ? {} : { repeated: true })
    })
  }

  const call = <T>(method: keyof WorldCalls, params: Fields): Promise<T> =>
    new Promise<unknown>((resolve, reject) => {
      if (disposed) return reject(new WorldRpcCallError('disposed', 'The SDK was disposed'))
      calls += 1
      const requestId = `${session}-${calls}`
      const expire = () => {
        pending.delete(requestId)
        reject(new WorldRpcCallError('timeout', `${method} was not answered in ${requestTimeoutMs} ms`))
      }
      const timer = requestTimeoutMs > 0 ? setTimeout(expire, requestTimeoutMs) : undefined
      pending.set(requestId, { resolve, reject, timer })
      try {
        post(MESSAGE.request, { requestId, method, params })
      } catch (error) {
        clearTimeout(timer)
        pending.delete(requestId)
        reject(new WorldRpcCallError('bad_request', `The arguments cannot be sent: ${String(error)}`))
      }
    }) as Promise<T>

  const get = <T extends Info>(kind: Kind, method: keyof WorldCalls, name: string): Promise<T> => {
    const cache = known.get(kind) as Map<string, Promise<Info>>
    const there = disposed ? undefined : cache.get(name)
    if (there !== undefined) return there as Promise<T>
    const pending = call<T>(method, { name })
    cache.set(name, pending)
    // What failed once may work later.
    pending.catch(() => {
      if (cache.get(name) === pending) cache.delete(name)
    })
    return pending
  }

  const exists = async (kind: Kind, method: keyof WorldCalls, name: string): Promise<boolean> => {
    const there = disposed ? undefined : known.get(kind)?.get(name)
    if (there !== undefined) {
      const outcome = await there.then(
        () => true,
        () => false,
      )
      if (outcome) return true
    }
    return call<boolean>(method, { name })
  }

  const takeState = ({ fields }: Envelope) => {
    const seed = isFields(fields.seed) ? fields.seed : undefined
    for (const kind of KINDS) {
      const entities = seed?.[kind]
      if (!isFields(entities)) continue
      for (const [name, info] of Object.entries(entities)) {
        if (isFields(info)) known.get(kind)?.set(name, Promise.resolve(info as unknown as Info))
      }
    }
    const state: WorldState = {
      ...(isName(fields.requestId) && { requestId: fields.requestId }),
      ...(fields.payload !== undefined && { payload: fields.payload as NonNullable<WorldState['payload']> }),
      ...(seed && { seed: seed as NonNullable<WorldState['seed']> }),
    }
    notifyAll(listeners, state)
  }

  const takeTransport = ({ fields }: Envelope) => {
    const next = readTransport(fields, transport?.voices)
    if (next === undefined) return
    transport = next
    notifyAll(followers, next)
  }

  const takeResponse = ({ fields }: Envelope) => {
    const waiting = isName(fields.requestId) ? pending.get(fields.requestId) : undefined
    if (waiting === undefined || typeof fields.ok !== 'boolean') return
    pending.delete(fields.requestId as string)
    clearTimeout(waiting.timer)
    if (fields.ok) waiting.resolve(fields.result)
    else waiting.reject(toCallError(fields.error))
  }

  const takeCapture = async ({ fields: { requestId, kind, width, height } }: Envelope) => {
    if (!isName(requestId)) return
    const capture = CAPTURE_REQUESTS.find((each) => each === kind)
    const refuse = (message: string) => post(MESSAGE.captured, { requestId, ok: false, message })
    if (captured === undefined || capture === undefined) return refuse('This World cannot do that.')
    if (capturing) return refuse('This World is still at the last one.')
    capturing = true
    const size = isSide(width) && isSide(height) ? { width, height } : undefined
    try {
      const answer = await makeCapture(captured, capture, size)
      post(
        MESSAGE.captured,
        { requestId, ok: true, ...answer },
        Object.values(answer).filter((value) => value instanceof ArrayBuffer),
      )
    } catch (error) {
      refuse(error instanceof Error ? error.message.slice(0, 200) : 'This World could not do it.')
    } finally {
      capturing = false
    }
  }

  const onMessage = (event: MessageEvent) => {
    if (event.source !== targetWindow) return
    if (expectedOrigin !== undefined && expectedOrigin !== '*' && event.origin !== expectedOrigin) return
    const envelope = readEnvelope(event.data)
    if (envelope?.channelToken !== channelToken || envelope.worldId !== worldId) return
    if (envelope.dialect === undefined) return
    dialect = envelope.dialect
    if (envelope.type === MESSAGE.state) takeState(envelope)
    else if (envelope.type === MESSAGE.response) takeResponse(envelope)
    else if (envelope.type === MESSAGE.transport) takeTransport(envelope)
    else if (envelope.type === MESSAGE.capture) void takeCapture(envelope)
  }

  listenWindow.addEventListener('message', onMessage)
  return {
    worldId,
    ready: () =>
      post(MESSAGE.ready, {
        protocolVersion: PROTOCOL_VERSION,
        ...(captured && { captures: CAPTURE_REQUESTS }),
      }),
    reportError: (message) => post(MESSAGE.error, { message: String(message) }),
    reportRendered: (requestId) => post(MESSAGE.rendered, requestId === undefined ? {} : { requestId }),
    onState: (callback) => {
      listeners.add(callback)
      return () => {
        listeners.delete(callback)
      }
    },
    onTransport: (callback) => {
      followers.add(callback)
      if (transport !== undefined) callback(transport)
      return () => {
        followers.delete(callback)
      }
    },
    offerCapture: (canvas, draw) => {
      captured = { canvas, draw }
    },
    connectorGet: (name) => get('connectors', 'connectorGet', name),
    connectorExists: (name) => exists('connectors', 'connectorExists', name),
    transformationGet: (name) => get('transformations', 'transformationGet', name),
    transformationExists: (name) => exists('transformations', 'transformationExists', name),
    conditionGet: (name) => get('conditions', 'conditionGet', name),
    conditionExists: (name) => exists('conditions', 'conditionExists', name),
    listFormats: (page) => call('listFormats', { ...page }),
    formatInfo: (hash, page) => call('formatInfo', { ...page, hash }),
    feed: (page) => call('feed', { ...page }),
    execute: (...run) => call('execute', runParams(run)),
    simulate: (...run) => call('simulate', runParams(run)),
    dispose: () => {
      disposed = true
      listenWindow.removeEventListener('message', onMessage)
      for (const { reject, timer } of pending.values()) {
        clearTimeout(timer)
        reject(new WorldRpcCallError('disposed', 'The SDK was disposed'))
      }
      pending.clear()
      listeners.clear()
      followers.clear()
      for (const cache of known.values()) cache.clear()
    },
  }
}

function notifyAll<M>(listeners: ReadonlySet<(message: M) => void>, message: M): void {
  for (const listener of listeners) {
    try {
      listener(message)
    } catch (error) {
      // The others are called all the same, and the console shows what happened.
      setTimeout(() => {
        throw error
      })
    }
  }
}

/** A transport message; undefined for one that says nothing. @param known Voices of the message before. */
function readTransport(
  { playing, step, steps_a_minute, seconds, loop, voices }: Fields,
  known: WorldTransport['voices'],
): WorldTransport | undefined {
  if (!isAmount(step) || !isAmount(steps_a_minute) || steps_a_minute === 0) return undefined
  const sounding = Array.isArray(voices) ? (voices as NonNullable<WorldTransport['voices']>) : known
  return {
    playing: playing === true,
    step: Math.floor(step),
    steps_a_minute,
    seconds: isAmount(seconds) ? seconds : (Math.floor(step) * 60) / steps_a_minute,
    loop: loop === true,
    ...(sounding && { voices: sounding }),
  }
}

function isSide(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_PICTURE_SIDE
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function runParams([connectorName, particlesCount, dynamicRi]: Parameters<WorldCalls['execute']>): Fields {
  return { connectorName, particlesCount, ...(dynamicRi !== undefined && { dynamicRi }) }
}

function toCallError(error: unknown): WorldRpcCallError {
  const { code, message, status } = isFields(error) ? error : {}
  return new WorldRpcCallError(
    isCode(code) ? code : 'host_error',
    typeof message === 'string' ? message : 'The page could not answer',
    Number.isInteger(status) ? (status as number) : undefined,
  )
}

const CODES: ReadonlySet<unknown> = new Set<WorldRpcErrorCode>([
  'permission_denied',
  'unknown_method',
  'bad_request',
  'host_error',
  'timeout',
  'disposed',
])

function isCode(code: unknown): code is WorldRpcErrorCode {
  return CODES.has(code)
}
