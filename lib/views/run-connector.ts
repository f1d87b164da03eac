import type { Context } from '#lib/core/context/context.ts'
import { entityTraits } from '#lib/core/entities/entity-traits.ts'
import { simulate } from '#lib/core/entities/simulate.ts'
import { ByteLru } from '#lib/platform/cache/byte-lru.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { writeStarts } from '#lib/protocol/run-link.ts'
import { PAGE_PATHS, PAGE_STREAMS, type Run, type Stream } from './run.ts'

/** Maximum cached runs. */
const CAPACITY = 128

interface RunCache {
  /**
   * The cached or pending run of a key; else calls `make`.
   *
   * @param lasts Whether the result never changes; true by default.
   */
  get(key: string, make: () => Promise<Run>, lasts?: () => Promise<boolean>): Promise<Run>
}

/**
 * An LRU cache of runs of published connectors, by content hash. Runs that read the block and failed runs are not
 * cached.
 */
export function createRunCache(): RunCache {
  const cache = new ByteLru<string, Promise<Run>>(CAPACITY)
  return {
    get(key, make, lasts) {
      const entry = cache.get(key)
      if (entry !== undefined) return entry
      const run = make()
      cache.set(key, run, 1)
      const forget = () => {
        if (cache.get(key) === run) cache.delete(key)
      }
      run.then(({ state }) => {
        if (state !== 'particles' && state !== 'rejected') forget()
        else lasts?.().then((lasting) => lasting || forget(), forget)
      }, forget)
      return run
    },
  }
}

const keptRuns = createRunCache()

const NOT_ANSWERED = 'The simulator did not answer in time.'

/**
 * Runs a connector for a page. A failed run is a result, not an error.
 *
 * @param contentHash Of the published connector: its run is cached, a draft's is not.
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

/** Whether runs of a connector return the same numbers in every block. */
async function lasts(ctx: Context, connector: string): Promise<boolean> {
  return (await entityTraits(ctx, 'connector', connector))?.dependsOn === 'input'
}

/** The streams that a page includes; fewer when paths are long. */
export function streamsForPage(
  particles: readonly { readonly path: string; readonly data: Uint32Array }[],
): Stream[] {
  let length = 0
  const streams = particles.slice(0, PAGE_STREAMS).filter(({ path }, index) => {
    length += path.length
    return index === 0 || length <= PAGE_PATHS
  })
  return streams.map(({ path, data }) => ({ path, data: [...data] }))
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
