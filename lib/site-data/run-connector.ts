import type { Context } from '../context.ts'
import { Failure } from '../domain/failure.ts'
import { simulate } from '../registry/simulate.ts'
import { PAGE_STREAMS, type Run } from './run.ts'
import { createRunCache } from './run-cache.ts'

const keptRuns = createRunCache()

const NOT_ANSWERED = 'The simulator did not answer in time.'

/**
 * Runs a connector as far as a page shows it. A run that fails is an answer, not an error.
 *
 * @param contentHash Of what is published under the name; a published run is kept, a draft's is made anew each time.
 */
export function runForPage(
  ctx: Context,
  connector: string,
  count: number,
  contentHash: string | undefined,
): Promise<Run> {
  const make = () => run(ctx, connector, count)
  return contentHash === undefined ? make() : keptRuns.get(`${contentHash}/${count}`, make)
}

async function run(ctx: Context, connector: string, count: number): Promise<Run> {
  try {
    const streams = await simulate(ctx, { connectorName: connector, particlesCount: count, dynamicRi: [] })
    return {
      state: 'particles',
      paths: streams.length,
      streams: streams.slice(0, PAGE_STREAMS).map(({ path, data }) => ({ path, data: [...data] })),
    }
  } catch (error) {
    if (error instanceof Failure && error.code === 'rejected')
      return { state: 'rejected', message: error.message }
    if (error instanceof Failure && error.code === 'not_found') return { state: 'unknown' }
    if (error instanceof Failure) return { state: 'unavailable', message: error.message }
    if (ctx.signal.aborted) return { state: 'unavailable', message: NOT_ANSWERED }
    throw error
  }
}
