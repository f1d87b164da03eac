import type { Context, Identity, Services } from '#lib/core/context/context.ts'
import type { singleFlight } from '#lib/platform/cache/single-flight.ts'
import type { Release } from '#lib/platform/limits/fair-scheduler.ts'
import type { Reservation } from '#lib/platform/limits/memory-budget.ts'
import { requireNodeCalls } from '#lib/platform/limits/node-calls.ts'
import { type Principal, principalOf } from '#lib/platform/limits/principal.ts'
import type { LimitClass } from '#lib/platform/limits/rate-limits.ts'
import { currentRequest, forRequest } from '#lib/platform/telemetry/request-scope.ts'
import { traced, tracing } from '#lib/platform/telemetry/tracing.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { overloaded } from '#lib/protocol/overload.ts'
import { clientKey } from './client-address.ts'
import { acceptsGzip, negotiated, notModified } from './content-negotiation.ts'
import { type ErasedInput, isShareable, type Operation, requiresIdentity } from './operation.ts'
import { readInput, readParams } from './read-input.ts'
import type { ApiRequest, BodyReader } from './request.ts'
import { type ApiResponse, responseOf } from './response.ts'
import type { RouteMatch } from './router.ts'

/** Rules by which an API serves its requests. */
export interface ServingPolicy {
  /**
   * Returns the account behind a request.
   *
   * @throws {Failure} `unauthenticated` when the request proves none.
   */
  readonly authenticate: (request: ApiRequest, services: Services) => Promise<Identity>
  /** Runs before anything of a request is read. @throws {Failure} to refuse the request. */
  readonly admit?: (request: ApiRequest, services: Services) => void
  /** Whether requests come with a place among those in work, which they keep. */
  readonly isPlaced?: boolean
  /** Check every success against its schema and turn a mismatch into a 500. For tests. */
  readonly validateResponses?: boolean
}

/** A request with the operation that serves it. */
export interface Matched {
  readonly request: ApiRequest
  readonly requestId: string
  readonly operation: Operation
  readonly match: RouteMatch
  readonly services: Services
  readonly policy: ServingPolicy
  /** Responses on their way that several requests wait for. */
  readonly shared: ReturnType<typeof singleFlight<ApiResponse>>
}

/** A request on its way through the stages: each sets what those after it read. */
class Exchange {
  readonly matched: Matched
  readonly client: string | undefined
  params: unknown
  identity: Identity | undefined
  principal: Principal | undefined
  input!: ErasedInput
  leavePlace!: Release
  response!: ApiResponse
  /** Called at the end, the last one first. */
  readonly releases: Release[] = []

  constructor(matched: Matched) {
    this.matched = matched
    this.client = clientKey(matched.request, matched.services.config.trustedProxies)
  }
}

type Stage = (exchange: Exchange) => void | Promise<void>

/** Order of what a request passes; each stage throws where it refuses it. */
const STAGES: readonly Stage[] = [
  admit,
  limitClient,
  readPath,
  authenticate,
  limitAccount,
  receive,
  enter,
  handle,
  negotiate,
  reserve,
]

/** Answers a request. @throws What the first stage that refuses it throws. */
export async function passStages(matched: Matched): Promise<ApiResponse> {
  const exchange = new Exchange(matched)
  try {
    for (const stage of STAGES) {
      const pending = stage(exchange)
      if (pending !== undefined) await pending
    }
    return exchange.response
  } finally {
    for (const release of exchange.releases.toReversed()) release()
  }
}

/** Answers a probe, which passes no stage. */
export async function answerProbe(
  operation: Operation,
  probe: NonNullable<Operation['probe']>,
  request: ApiRequest,
  check: boolean,
): Promise<ApiResponse> {
  return responseOf(operation, await probe(await readInput(operation, undefined, request)), check)
}

function admit({ matched: { request, services, policy } }: Exchange): void {
  policy.admit?.(request, services)
}

function limitClient({ matched: { operation, services }, client }: Exchange): ReturnType<Stage> {
  if (operation.limit !== undefined) return services.rateLimiter.take(operation.limit, client)
}

function readPath(exchange: Exchange): void {
  const { operation, match, services } = exchange.matched
  operation.precheck?.(services)
  exchange.params = readParams(operation, match)
}

/** @throws Failure('unauthenticated') where the operation requires an identity and the request proves none. */
function authenticate(exchange: Exchange): ReturnType<Stage> {
  exchange.principal = principalOf(exchange.client)
  if (exchange.matched.operation.auth !== 'none') return identify(exchange)
}

async function identify(exchange: Exchange): Promise<void> {
  const { operation, request, services, policy } = exchange.matched
  const leavePlace = services.places.requests.take(exchange.principal)
  try {
    exchange.identity = await policy.authenticate(request, services)
    exchange.principal = principalOf(exchange.client, exchange.identity)
  } catch (error) {
    const isVisitor = error instanceof Failure && error.code === 'unauthenticated'
    if (!isVisitor || requiresIdentity(operation)) throw error
  } finally {
    leavePlace()
  }
}

/** Classes of requests that mostly need a node. */
const CALLS_NODES: readonly LimitClass[] = ['run', 'create', 'publish']

function limitAccount({ matched, identity, principal }: Exchange): ReturnType<Stage> {
  const { operation, services } = matched
  // An account is what signing in proves.
  if (operation.limit === undefined || operation.limit === 'signIn') return
  if (CALLS_NODES.includes(operation.limit))
    requireNodeCalls(services.ledger, principal, services.config.node?.perSecond)
  return services.rateLimiter.take(operation.limit, identity?.address)
}

/** Receiving a body takes memory, but no place among requests in work: its client may be slow. */
async function receive(exchange: Exchange): Promise<void> {
  const { params, principal, releases } = exchange
  const { operation, request, services } = exchange.matched
  const { body } = request
  if (body === null) {
    exchange.input = await readInput(operation, params, request)
    return
  }
  const reservation = services.memory.reserve(principal, 'uploads')
  releases.push(() => reservation.release())
  const read = () => readInput(operation, params, withinBudget(reservation, request, body))
  exchange.input = await services.places.bodies.run(read, { principal })
}

function enter(exchange: Exchange): void {
  const { matched, principal, releases } = exchange
  if (matched.policy.isPlaced === true) {
    exchange.leavePlace = currentRequest()?.leavePlace ?? (() => {})
    return
  }
  exchange.leavePlace = matched.services.places.requests.take(principal)
  releases.push(exchange.leavePlace)
}

/** Runs the handler, once for all concurrent clients of the same shareable response. */
async function handle(exchange: Exchange): Promise<void> {
  const { operation, request, shared } = exchange.matched
  if (!isShareable(operation)) {
    exchange.response = await perform(exchange, request.signal)
    return
  }
  const acceptEncoding = request.headers.get('accept-encoding')
  const key = `${operation.id} ${acceptsGzip(acceptEncoding)} ${request.pathname}${request.search}`
  const response = await shared(key, async () => {
    // A client that leaves must not abort the work that others wait for.
    const whole = await perform(exchange, NEVER)
    return negotiated(whole, operation, { acceptEncoding, ifNoneMatch: null })
  })
  exchange.response = { ...response, headers: new Map(response.headers) }
}

async function negotiate(exchange: Exchange): Promise<void> {
  const { response } = exchange
  const { operation, request } = exchange.matched
  const ifNoneMatch = request.headers.get('if-none-match')
  const acceptEncoding = request.headers.get('accept-encoding')
  exchange.response = isShareable(operation)
    ? (notModified(response, ifNoneMatch) ?? response)
    : await negotiated(response, operation, { acceptEncoding, ifNoneMatch })
}

/** @throws Failure('overloaded') when unread responses already take all the memory that they may. */
function reserve({ response: { body }, matched: { request } }: Exchange): void {
  if (request.method === 'HEAD' || body === null || body instanceof ReadableStream) return
  if (request.reserve?.(Buffer.byteLength(body)) === false) throw overloaded('largeAnswers')
}

const NEVER = new AbortController().signal

async function perform(
  { matched, input, identity, client, principal, leavePlace }: Exchange,
  signal: AbortSignal,
): Promise<ApiResponse> {
  const { operation, requestId, services, policy } = matched
  const traceId = tracing()?.traceId()
  const scope = { requestId, operation: operation.id, ...(traceId !== undefined && { traceId }) }
  let log: Context['log'] | undefined
  const ctx: Context = {
    ...services,
    // Few requests log.
    get log() {
      log ??= services.log.child(scope)
      return log
    },
    requestId,
    caller: identity?.address,
    session: identity?.session,
    signal,
    client,
    principal,
  }
  const reply = await forRequest({ ...scope, client, principal, leavePlace }, () =>
    traced(
      () => ({ name: operation.id }),
      () => operation.handler(ctx, input),
    ),
  )
  return responseOf(operation, reply, policy.validateResponses === true)
}

/** The request, whose body counts against the upload budget as it is read. */
function withinBudget(reservation: Reservation, request: ApiRequest, body: BodyReader): ApiRequest {
  const read = async () => {
    const chunk = await body.read()
    try {
      if (chunk !== undefined) reservation.add(chunk.byteLength)
    } catch (error) {
      body.stop()
      throw error
    }
    return chunk
  }
  return { ...request, body: { read, stop: body.stop } }
}
