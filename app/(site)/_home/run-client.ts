import type { Run } from '../../../lib/site-data/run.ts'

const UNAVAILABLE = 'The simulator did not answer.'

/**
 * Simulates a connector through the chain API.
 *
 * @throws {DOMException} `AbortError` when the signal says so; everything else is a `Run`.
 */
export async function runConnector(connector: string, count: number, signal: AbortSignal): Promise<Run> {
  try {
    const response = await fetch('/chain/simulate', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ connector_name: connector, particles_count: count }),
      signal,
    })
    const body: unknown = await response.json()
    if (response.ok) {
      const streams = body as { path: string; data: number[] }[]
      return { state: 'particles', streams, paths: streams.length }
    }
    const message = (body as { message?: string }).message ?? UNAVAILABLE
    if (response.status === 404) return { state: 'unknown' }
    if (response.status === 400) return { state: 'rejected', message }
    return { state: 'unavailable', message }
  } catch (error) {
    if (signal.aborted) throw error
    return { state: 'unavailable', message: UNAVAILABLE }
  }
}
