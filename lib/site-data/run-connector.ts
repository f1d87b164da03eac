import type { Context } from '../context.ts'
import type { PositionedRunningInstance } from '../domain/definition.ts'
import { Failure } from '../domain/failure.ts'
import { writeStarts } from '../domain/run-link.ts'
import { entityTraits } from '../registry/entity-traits.ts'
import { simulate } from '../registry/simulate.ts'
import { PAGE_STREAMS, type Run, type Stream } from './run.ts'
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
  return contentHash === undefined ? make() : keptRuns.get(key, make, () => lasts(ctx, connector))
}

/** Whether runs of a connector give the same numbers in every block. */
export async function lasts(ctx: Context, connector: string): Promise<boolean> {
  return (await entityTraits(ctx, 'connector', connector))?.dependsOn === 'input'
}

/** As much of a run as a page carries. */
export function streamsForPage(
  particles: readonly { readonly path: string; readonly data: Uint32Array }[],
): Stream[] {
  return particles.slice(0, PAGE_STREAMS).map(({ path, data }) => ({ path, data: [...data] }))
}

async function run(
  ctx: Context,
  connector: string,
  count: number,
  dynamicRi: readonly PositionedRunningInstance[],
): Promise<Run> {
  try {
    const streams = await simulate(ctx, { connectorName: connector, particlesCount: count, dynamicRi })
    return { state: 'particles', paths: streams.length, streams: streamsForPage(streams) }
  } catch (error) {
    if (error instanceof Failure && error.code === 'rejected')
      return { state: 'rejected', message: error.message }
    if (error instanceof Failure && error.code === 'not_found') return { state: 'unknown' }
    if (error instanceof Failure) return { state: 'unavailable', message: error.message }
    if (ctx.signal.aborted) return { state: 'unavailable', message: NOT_ANSWERED }
    throw error
  }
}
