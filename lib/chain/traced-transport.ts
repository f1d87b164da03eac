import type { HttpTransport, HttpTransportConfig } from 'viem'
import { traced, tracing } from '../platform/telemetry/tracing.ts'

/** Creates a span for every call to the node within a trace, with its method but without its parameters. */
export function tracedTransport(transport: HttpTransport): HttpTransport {
  return (options) => {
    const made = transport(options)
    const request = (async (call: { readonly method: string }, ...more: []) =>
      traced(
        () => ({ name: `rpc ${call.method}`, kind: 'client', attributes: { 'rpc.system': 'jsonrpc' } }),
        () => made.request(call as Parameters<typeof made.request>[0], ...more),
      )) as typeof made.request
    return { ...made, request }
  }
}

/** Sends the trace headers of a request; a batch has those of its first call. */
export const CARRY_TRACE: NonNullable<HttpTransportConfig['onFetchRequest']> = (_, init) => {
  const headers = tracing()?.headers()
  return headers && { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } }
}
