import postgres from 'postgres'
import type { TraceSettings } from './settings.ts'
import { traceQueries } from './trace-queries.ts'

/**
 * Begins to send traces, where the settings name an endpoint; else nothing is loaded. To be called before a program's
 * services are made.
 *
 * @returns What is left to be sent when the program ends.
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
    // A receiver that is away must not hold up the end.
    await tracing.close().catch(() => undefined)
  }
}
