import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen, stop } from '#test/support/listen.ts'

/** A span as it arrived. */
export interface ReceivedSpan {
  readonly service: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly failed: boolean
}

export type TraceReceiver = Awaited<ReturnType<typeof startReceiver>>

/** A receiver of traces on this machine: OTLP over HTTP, as JSON. */
export async function startReceiver() {
  const spans: ReceivedSpan[] = []
  const keys = new Set<string | undefined>()
  const texts: string[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (request.url === '/v1/traces' && request.headers['content-type'] === 'application/json') {
      texts.push(body)
      keys.add(request.headers['x-key'] as string | undefined)
      spans.push(...read(JSON.parse(body) as Batch))
    }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
  const port = await listen(server)
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    /** Values of the header `x-key` of what arrived. */
    keys,
    /** Everything that arrived, as text. */
    text: () => texts.join('\n'),
    close: () => stop(server),
  }
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, string | number | boolean>>
}

interface Batch {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string
        readonly traceId: string
        readonly spanId: string
        readonly parentSpanId?: string
        readonly attributes: readonly Attribute[]
        readonly status: { readonly code?: number }
      }[]
    }[]
  }[]
}

function valuesOf(attributes: readonly Attribute[]) {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? '']))
}

function read({ resourceSpans }: Batch): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map(({ name, traceId, spanId, parentSpanId, attributes, status }) => ({
        service: String(valuesOf(resource.attributes)['service.name']),
        name,
        traceId,
        spanId,
        parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
        attributes: valuesOf(attributes),
        failed: status.code === 2,
      })),
    ),
  )
}
