/*
 * Interface of tracing. OpenTelemetry is not imported here: without an endpoint, tracing costs the read of a variable.
 */

/** Name and attributes of a span: never user input, only names and numbers of our own. */
export interface SpanFacts {
  readonly name: string
  readonly kind?: 'server' | 'client'
  readonly attributes?: SpanAttributes
  /** Starts a trace where none is active; other spans need a parent. */
  readonly root?: true
  /** `traceparent` header of the request, used without an active span. */
  readonly parent?: string | null
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** A started span. */
export interface OpenSpan {
  rename(name: string): void
  set(attributes: SpanAttributes): void
  /** Marks the span as failed, for errors that are not thrown. */
  fail(error: unknown): void
  end(): void
}

/** A tracer. */
export interface Tracing {
  /** Starts a span for `within`; undefined without an active parent. */
  begin(facts: SpanFacts): OpenSpan | undefined
  /** Runs `work` with the span active. */
  within<T>(span: OpenSpan, work: () => T): T
  /** Headers `traceparent` and `tracestate` of the active span, for requests to other programs. */
  headers(): Readonly<Record<string, string>>
  /** Id of the active trace, for log lines. */
  traceId(): string | undefined
  /** Flushes and stops. */
  close(): Promise<void>
}

declare global {
  // Route handlers are bundled apart and share no module state, only the process.
  var weftTracing: Tracing | undefined
}

/** Returns the tracer of this process; undefined without a configured endpoint. */
export function tracing(): Tracing | undefined {
  return globalThis.weftTracing
}

/**
 * Runs `work` in a new span, if tracing is enabled.
 *
 * @param facts Called only with tracing.
 * @param work Receives the span, to add attributes.
 */
export async function traced<T>(
  facts: () => SpanFacts,
  work: (span: OpenSpan | undefined) => Promise<T>,
): Promise<T> {
  const tracer = globalThis.weftTracing
  const span = tracer?.begin(facts())
  if (tracer === undefined || span === undefined) return work(undefined)
  try {
    return await tracer.within(span, () => work(span))
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    span.end()
  }
}

/** Attributes of a response for its span: the route pattern, never the path, which contains user input. */
export interface AnsweredRequest {
  readonly method: string
  /** Documented pattern with the base path; undefined without a matching route. */
  readonly route: string | undefined
  readonly status: number
  readonly requestId: string
  /** Unexpected error behind a 500. */
  readonly defect: unknown
}

/** Sets the attributes of a request's span by OpenTelemetry's semantic conventions. */
export function describeRequest(span: OpenSpan, answered: AnsweredRequest): void {
  const { method, route, status, requestId, defect } = answered
  span.rename(route === undefined ? method : `${method} ${route}`)
  span.set({
    'http.request.method': method,
    'http.response.status_code': status,
    'weft.request_id': requestId,
    ...(route !== undefined && { 'http.route': route }),
  })
  if (status >= 500) span.fail(defect)
}

/** Settings of tracing. */
export interface TraceSettings {
  /** Base URL of an OTLP receiver over HTTP; without one tracing is disabled. */
  readonly endpoint: string | undefined
  /** Headers of every export, for receivers that require a key. */
  readonly headers: Readonly<Record<string, string>> | undefined
  /** Share of recorded traces, from 0 to 1; traces started elsewhere follow the caller's decision. */
  readonly ratio: number
  /** `service.name` of this process. */
  readonly service: string
}
