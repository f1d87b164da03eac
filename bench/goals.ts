import { ms, times } from './support/format.ts'

/** A figure and what it should be: one of `atLeast` and `atMost`. */
export type Goal = {
  readonly figure: string
  readonly goal: string
  readonly show: (value: number) => string
} & (
  | { readonly atLeast: number; readonly atMost?: undefined }
  | { readonly atMost: number; readonly atLeast?: undefined }
)

export type GoalId = keyof typeof GOALS

function factor(figure: string, atLeast: number) {
  return {
    figure,
    goal: `≥ ${atLeast.toLocaleString('en-US')}x`,
    atLeast,
    show: times,
  }
}
function atMost(figure: string, limit: number, show: (value: number) => string) {
  return {
    figure,
    goal: `≤ ${show(limit)}`,
    atMost: limit,
    show,
  }
}
function share(value: number) {
  return `${(value * 100).toFixed(1)} %`
}
function count(value: number) {
  return value.toLocaleString('en-US')
}
function fits(shape: string, atLeast: number) {
  return {
    figure: `largest N of ${shape} in 30M gas`,
    goal: `≥ ${count(atLeast)}`,
    atLeast,
    show: count,
  }
}

/** Goals of this program. Where several shapes are measured, the worst of them counts. */
export const GOALS = {
  anvilCompute: factor('simulate, warm, against anvil eth_call of our Runner', 50),
  anvilHttp: factor('simulate over HTTP with JSON, against anvil eth_call over HTTP', 3),
  large: atMost(
    '65,536 particles x 4 dimensions over HTTP, against loops by hand with JSON.stringify',
    3,
    times,
  ),
  largeTree: atMost('65,536 particles x 27 leaves, whole HTTP request, p50', 300, ms),
  prepare: atMost('requests to the node while a publication is prepared', 3, count),
  readsFastify: factor('API reads, against Fastify + postgres.js with the same query', 1),
  readsNext: factor('API reads, against the Next route', 5),
  gasS1: atMost('gas a particle of S1 at N = 1,000, of the original', 1 / 8, share),
  gasS3C3: atMost('gas a particle of S3C3 at N = 1,000, of the original', 1 / 8, share),
  gasT27: atMost('gas a particle of T27 at N = 1,000, of the original', 1 / 8, share),
  fitsS1: fits('S1', 65_536),
  fitsS3C3: fits('S3C3', 16_000),
  fitsT27: fits('T27', 2_500),
  publishOne: atMost('publishing a connector with one call, of the original', 0.1, share),
  publishThree: atMost('publishing a connector with three dimensions, of the original', 0.1, share),
  publishMany: atMost('publishing a connector with 24 dimensions, of the original', 0.1, share),
  publishCode: atMost('publishing a transformation, of the original', 0.6, share),
  pictureAfterEdit: atMost('from an edit to its picture, 1,024 x 8, p95', 50, ms),
  soundAfterEdit: atMost('from the step after an edit to its sound, p95', 60, ms),
  wall: atMost('the wall of 10,000 pieces, whole request, p50', 60, ms),
  largeWall: atMost('the wall of 100,000 pieces, whole request, p50', 60, ms),
  wallScroll: atMost('a frame while the wall of 10,000 pieces scrolls, p95', 17.5, ms),
  wallWorlds: atMost('Worlds alive while the wall scrolls', 6, count),
  soakDrift: atMost('drift of the steps while the studio plays and is edited', 5, ms),
  soakHeap: atMost('heap of the studio after the soak, of that after a third of it', 1.1, times),
} as const satisfies Record<string, Goal>
