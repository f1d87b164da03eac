import type { WorldStatePayload } from '#lib/core/worlds/sdk/protocol.ts'
import type {
  ExplainAnswer,
  PreviewAnswer,
  PreviewRequest,
} from '#lib/server/operations/studio/preview-schemas.ts'

/** Values of one path, each 0..4,294,967,295. */
export interface Stream {
  readonly path: string
  readonly data: readonly number[]
}

/**
 * A run as Worlds receive it: whatever shows a World needs one, and `runPayload` makes it, so that each of these fields
 * is in every state.
 */
export interface RunPayload extends WorldStatePayload {
  readonly surface: 'world-page' | 'studio-plugin'
  readonly connectorName: string
  readonly connectorNames: readonly string[]
  readonly particlesCount: number
  readonly executionMode: 'execute' | 'simulate'
  readonly executeOutput: readonly Stream[]
  /** Starts that were set, as the API takes them. */
  readonly dynamicRiInput: unknown
}

export type PreviewResult = PreviewAnswer['result']
export type Explanation = Extract<ExplainAnswer, { outcome: 'explained' }>
export type RejectedResult = Extract<PreviewResult, { outcome: 'rejected' }>
/** Where a run stopped. */
export type Place = NonNullable<RejectedResult['place']>

/** A run that came to its end. */
export interface GoodRun {
  readonly request: PreviewRequest
  readonly streams: readonly Stream[]
}

/** The particles of an answer; undefined for every other outcome. One answer has one run, confirmed or not. */
export function goodRunOf({
  question,
  answer,
}: {
  readonly question: PreviewRequest
  readonly answer: PreviewAnswer
}): GoodRun | undefined {
  const { result } = answer
  if (result.outcome !== 'particles') return undefined
  const before = known.get(result)
  if (before?.request === question) return before
  const run: GoodRun = { request: question, streams: result.particles }
  known.set(result, run)
  return run
}

const known = new WeakMap<PreviewResult, GoodRun>()

/** Number of steps of a run: that of its longest stream. */
export function stepsOf(streams: readonly Stream[]): number {
  return streams.reduce((most, { data }) => Math.max(most, data.length), 0)
}
