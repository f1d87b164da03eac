import type { ExplainAnswer, PreviewAnswer, PreviewRequest } from '../../../../api/studio/preview-schemas.ts'

/** Values of one path, each 0..4,294,967,295. */
export interface Stream {
  readonly path: string
  readonly data: readonly number[]
}

export type PreviewResult = PreviewAnswer['result']
export type Explanation = Extract<ExplainAnswer, { outcome: 'explained' }>
export type RejectedResult = Extract<PreviewResult, { outcome: 'rejected' }>
/** Where a run stopped, as the server tells it. */
export type Place = NonNullable<RejectedResult['place']>

/** A run that came to its end. */
export interface GoodRun {
  readonly asked: PreviewRequest
  readonly streams: readonly Stream[]
}

/** The particles of an answer; undefined for every other outcome. */
export function goodRunOf(answered: {
  readonly question: PreviewRequest
  readonly answer: PreviewAnswer
}): GoodRun | undefined {
  const { result } = answered.answer
  return result.outcome === 'particles' ? { asked: answered.question, streams: result.particles } : undefined
}

/** Number of steps of a run: that of its longest stream. */
export function stepsOf(streams: readonly Stream[]): number {
  return streams.reduce((most, { data }) => Math.max(most, data.length), 0)
}
