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
import type { OpenSpan, SpanFacts, TraceSettings, Tracing } from './tracing.ts'

/** Interval of exports. */
const EXPORT_INTERVAL_MS = 1_000
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const

/** Creates a tracer that exports to an OTLP endpoint over HTTP. Imported only where one is configured. */
export function openTelemetry(settings: TraceSettings & { readonly endpoint: string }): Tracing {
  const { endpoint, headers, ratio, service } = settings
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...headers },
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: EXPORT_INTERVAL_MS })],
  })
  // Next finds the global provider and adds its own spans.
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
    return new ActiveSpan(tracer.startSpan(name, options, around), around)
  }
  return {
    begin,
    within: (span, work) => context.with((span as ActiveSpan).context, work),
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

/** The active context, or else the one of the request header. */
function parentOf(header: string | null | undefined): Context {
  const active = context.active()
  if (trace.getSpan(active) !== undefined || !header) return active
  return propagation.extract(ROOT_CONTEXT, { traceparent: header })
}

class ActiveSpan implements OpenSpan {
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
    // The name only: messages may contain user input.
    const name = error instanceof Error ? error.name : 'Error'
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message: name })
    this.#span.setAttribute('error.type', name)
  }

  end(): void {
    this.#span.end()
  }
}
