import type { HttpTransport, HttpTransportConfig } from 'viem'
import { traced, tracing } from '../telemetry/tracing.ts'

/** Makes a span of every call to the node that is part of a trace, named by its method: never with what is asked. */
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

/** Tells the node which trace a request belongs to; of calls that share a request, that of the first. */
export const CARRY_TRACE: NonNullable<HttpTransportConfig['onFetchRequest']> = (_, init) => {
  const headers = tracing()?.headers()
  return headers && { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } }
}
