import type { Context } from '../context.ts'
import type { PositionedRunningInstance } from '../domain/definition.ts'
import { Failure } from '../domain/failure.ts'
import { writeStarts } from '../domain/run-link.ts'
import { simulate } from '../registry/simulate.ts'
import { PAGE_PATHS, PAGE_STREAMS, type Run, type Stream } from './run.ts'
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
  dynamicRi: readonly PositionedRunningInstance[] = [],
): Promise<Run> {
  const make = () => run(ctx, connector, count, dynamicRi)
  const key = `${contentHash}/${count}/${writeStarts(dynamicRi)}`
  return contentHash === undefined ? make() : keptRuns.get(key, make)
}

/** As much of a run as a page carries: of paths that are very long, fewer streams. */
export function streamsForPage(
  particles: readonly { readonly path: string; readonly data: Uint32Array }[],
): Stream[] {
  let length = 0
  const shown = particles.slice(0, PAGE_STREAMS).filter(({ path }, index) => {
    length += path.length
    return index === 0 || length <= PAGE_PATHS
  })
  return shown.map(({ path, data }) => ({ path, data: [...data] }))
}

async function run(
  ctx: Context,
  connector: string,
  count: number,
  dynamicRi: readonly PositionedRunningInstance[],
): Promise<Run> {
  try {
    const input = { connectorName: connector, particlesCount: count, dynamicRi }
    const { particles, paths } = await simulate(ctx, input, PAGE_STREAMS)
    return { state: 'particles', paths, streams: streamsForPage(particles) }
  } catch (error) {
    if (error instanceof Failure && error.code === 'rejected')
      return { state: 'rejected', message: error.message }
    if (error instanceof Failure && error.code === 'not_found') return { state: 'unknown' }
    if (error instanceof Failure) return { state: 'unavailable', message: error.message }
    if (ctx.signal.aborted) return { state: 'unavailable', message: NOT_ANSWERED }
    throw error
  }
}
