import { createChainClient } from '../../../lib/client/chain.ts'
import { type Run, UNAVAILABLE } from '../../../lib/site-data/run.ts'

const chain = createChainClient('/chain')

/**
 * Simulates a connector through the chain API.
 *
 * @throws {DOMException} `AbortError` when the signal says so; everything else is a `Run`.
 */
export async function runConnector(connector: string, count: number, signal: AbortSignal): Promise<Run> {
  try {
    const { data, error, response } = await chain.POST('/simulate', {
      body: { connector_name: connector, particles_count: count },
      signal,
    })
    if (data !== undefined) return { state: 'particles', streams: data, paths: data.length }
    if (response.status === 404) return { state: 'unknown' }
    const message = error?.message ?? UNAVAILABLE
    return { state: response.status === 400 ? 'rejected' : 'unavailable', message }
  } catch (error) {
    if (signal.aborted) throw error
    return { state: 'unavailable', message: UNAVAILABLE }
  }
}
