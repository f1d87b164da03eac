import postgres from 'postgres'
import { traceQueries } from './trace-queries.ts'
import type { TraceSettings } from './tracing.ts'

/**
 * Starts tracing if an endpoint is configured, else loads nothing. Call before services are created.
 *
 * @returns a function that flushes and stops.
 */
export async function startTracing(settings: TraceSettings): Promise<() => Promise<void>> {
  const { endpoint } = settings
  if (endpoint === undefined) return async () => {}
  const { openTelemetry } = await import('./open-telemetry.ts')
  const tracing = openTelemetry({ ...settings, endpoint })
  // Connects nothing.
  traceQueries(postgres({ host: '127.0.0.1', max: 1 }))
  globalThis.weftTracing = tracing
  return async () => {
    globalThis.weftTracing = undefined
    // An unreachable receiver must not delay the exit.
    await tracing.close().catch(() => undefined)
  }
}
