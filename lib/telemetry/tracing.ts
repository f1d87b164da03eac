/*
 * How work says that it is part of a trace. Nothing of OpenTelemetry is imported here: without an endpoint for traces
 * all of this is one look at a variable.
 */

/** What a piece of work is called. Never what people sent: names and numbers of our own only. */
export interface SpanFacts {
  readonly name: string
  readonly kind?: 'server' | 'client'
  readonly attributes?: SpanAttributes
  /** Begins a trace where none goes on; other work is traced only as a part of something. */
  readonly root?: true
  /** The `traceparent` header of who asked, where no work of this process did. */
  readonly parent?: string | null
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** Work that is going on. */
export interface OpenSpan {
  rename(name: string): void
  set(attributes: SpanAttributes): void
  /** Marks it as failed, for a failure that is not thrown. */
  fail(error: unknown): void
  end(): void
}

/** Where spans go. */
export interface Tracing {
  /** Begins work that `within` will do, as part of what goes on; undefined when it is part of nothing. */
  begin(facts: SpanFacts): OpenSpan | undefined
  /** Runs work as a part of a span. */
  within<T>(span: OpenSpan, work: () => T): T
  /** Names what goes on here to another program: the headers `traceparent` and `tracestate`, or nothing. */
  headers(): Readonly<Record<string, string>>
  /** Id of the trace that goes on here, for log lines. */
  traceId(): string | undefined
  /** Sends what is left, and stops. */
  close(): Promise<void>
}

declare global {
  // Route handlers are bundled apart and share no module state, only the process.
  var weftTracing: Tracing | undefined
}

/** Where the spans of this process go; undefined unless it was started with an endpoint for them. */
export function tracing(): Tracing | undefined {
  return globalThis.weftTracing
}

/**
 * Does work as a span of its own, where traces are kept at all.
 *
 * @param facts Asked for only then.
 * @param work Is told the span, to add to it.
 */
export async function traced<T>(
  facts: () => SpanFacts,
  work: (span: OpenSpan | undefined) => Promise<T>,
): Promise<T> {
  const kept = globalThis.weftTracing
  const span = kept?.begin(facts())
  if (kept === undefined || span === undefined) return work(undefined)
  try {
    return await kept.within(span, () => work(span))
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    span.end()
  }
}
