import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TraceSettings } from './settings.ts'
import type { OpenSpan, SpanFacts, Tracing } from './tracing.ts'

/** How long spans are gathered before they are sent. */
const GATHER_MS = 1_000
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const

/** Sends spans to an OTLP endpoint over HTTP. Imported only where one is named. */
export function openTelemetry(settings: TraceSettings & { readonly endpoint: string }): Tracing {
  const { endpoint, headers, ratio, service } = settings
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...headers },
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: GATHER_MS })],
  })
  // Next finds these by itself and adds what it does for a page.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  const tracer = provider.getTracer('weft')

  const begin = ({ name, kind, attributes, root, parent }: SpanFacts): OpenSpan | undefined => {
    const around = parentOf(parent)
    if (root === undefined && trace.getSpan(around) === undefined) return undefined
    const options = {
      kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind],
      ...(attributes && { attributes }),
    }
    return new Work(tracer.startSpan(name, options, around), around)
  }
  return {
    begin,
    within: (span, work) => context.with((span as Work).context, work),
    headers: () => {
      const carrier: Record<string, string> = {}
      propagation.inject(context.active(), carrier)
      return carrier
    },
    traceId: () => trace.getSpanContext(context.active())?.traceId,
    close: async () => {
      await provider.shutdown()
      trace.disable()
      context.disable()
      propagation.disable()
    },
  }
}

/** What goes on here, or what the header of a request names. */
function parentOf(header: string | null | undefined): Context {
  const active = context.active()
  if (trace.getSpan(active) !== undefined || !header) return active
  return propagation.extract(ROOT_CONTEXT, { traceparent: header })
}

class Work implements OpenSpan {
  readonly context: Context
  readonly #span: Span

  constructor(span: Span, around: Context) {
    this.#span = span
    this.context = trace.setSpan(around, span)
  }

  rename(name: string): void {
    this.#span.updateName(name)
  }

  set(attributes: Readonly<Record<string, string | number | boolean>>): void {
    this.#span.setAttributes(attributes)
  }

  fail(error: unknown): void {
    // The name alone: messages repeat what people sent.
    const name = error instanceof Error ? error.name : 'Error'
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message: name })
    this.#span.setAttribute('error.type', name)
  }

  end(): void {
    this.#span.end()
  }
}
