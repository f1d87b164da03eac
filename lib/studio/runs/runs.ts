import { ask } from '#lib/browser/requests.ts'
import { createValue, type Readable, type Value } from '#lib/browser/value.ts'
import type { SoundRecording } from '#lib/core/worlds/sdk/clip.ts'
import type { Capture, CaptureKind } from '#lib/core/worlds/sdk/protocol.ts'
import type { ConnectorSound } from '#lib/engine/sound/settings.ts'
import type {
  ExplainAnswer,
  ExplainRequest,
  PreviewAnswer,
  PreviewRequest,
} from '#lib/server/operations/studio/preview-schemas.ts'
import type { Problem } from '../document/problem.ts'
import { createLatest, type Latest, type LatestState, retryAfterMs } from './latest.ts'
import type { QuickPreview } from './quick-preview.ts'
import { type GoodRun, goodRunOf, type RunPayload } from './run.ts'
import { sameQuestion } from './slice.ts'
import { NO_STARTS, type TypedStarts } from './typed-starts.ts'

export type PreviewState = LatestState<PreviewRequest, PreviewAnswer>
export type ExplainState = LatestState<ExplainRequest, ExplainAnswer>

/** One value of a stream. */
export interface Particle {
  readonly path: string
  readonly step: number
}

/** Inputs of a run that are no part of the document. */
export interface RunInputs {
  readonly starts: TypedStarts
  /** Length of a connector outside the document, where its listener changed it. */
  readonly steps?: number
  readonly sound?: ConnectorSound
}

/** A World on the page that can be captured. */
export interface CapturedWorld {
  readonly world: string
  readonly name: string
  readonly captures: readonly CaptureKind[]
  /** @throws {WorldCaptureError} */
  readonly capture: Capture
  /** Opens the sound of a clip; absent for clips without sound. */
  readonly record?: (() => Promise<SoundRecording>) | undefined
}

/**
 * The run of one connector. A new question takes the place of the one before; the last run with particles stays in
 * `lastGood`.
 */
export interface Run extends Pick<Latest<PreviewRequest, PreviewAnswer>, 'ask' | 'again' | 'cancel'> {
  readonly state: Readable<PreviewState>
  readonly explanation: Readable<ExplainState>
  readonly inputs: Value<RunInputs>
  /** Where it stopped, as a problem of that line; undefined while it does not stop. */
  readonly stop: Value<Problem | undefined>
  /** Payload that the Worlds of the connector draw; undefined for none. */
  readonly drawn: Value<RunPayload | undefined>
  /** The Worlds that draw it and can be captured now. */
  readonly captured: Value<readonly CapturedWorld[]>
  /** Explains a particle of the newest run with particles; undefined cancels. */
  explain(particle: Particle | undefined): void
  /** Calls a listener with each run that has particles as it arrives, before anything is rendered: sound cannot wait. */
  onGood(listener: (run: GoodRun) => void): () => void
}

/** The only place of a page that runs connectors: the engine of the browser first, and the server where that cannot. */
export interface Runs {
  /** The run of a connector, begun with its first question. @param key `tabKey` of its tab. */
  of(key: string): Run
  /** Runs something apart from every entry, in the engine alone; undefined where it cannot, or has something newer to do. */
  aside: QuickPreview['send']
  /** Parts that a worker needs to build a connector; compiled first where necessary. @throws Refusal, NoAnswer */
  partsOf: QuickPreview['partsOf']
  /** Runs a connector on the server, whose word counts. @throws Refusal, NoAnswer */
  confirm(question: PreviewRequest, signal: AbortSignal): Promise<PreviewAnswer>
}

const DEBOUNCE_MS = 120
const EXPLAIN_DEBOUNCE_MS = 150
/** Runs whose results are kept; what was typed for the others stays. */
const MAX_KEPT = 12

/** @param engine Of the page; asked for with the first question. */
export function createRuns(engine: () => QuickPreview): Runs {
  const runs = new Map<string, Run>()
  const inputs = new Map<string, Value<RunInputs>>()

  const inputsOf = (key: string): Value<RunInputs> => {
    const known = inputs.get(key) ?? createValue<RunInputs>({ starts: NO_STARTS })
    inputs.set(key, known)
    return known
  }

  return {
    of(key) {
      const run = runs.get(key) ?? createRun(engine, inputsOf(key))
      runs.delete(key)
      runs.set(key, run)
      for (const [oldest, { state }] of runs) {
        if (runs.size <= MAX_KEPT) break
        if (state.getState().question === undefined) runs.delete(oldest)
      }
      return run
    },
    aside: (question, signal) => engine().send(question, signal),
    async partsOf(question, signal) {
      const parts = await engine().partsOf(question, signal)
      if (parts !== undefined) return parts
      engine().onAnswer(question, await requestPreview(question, signal))
      return engine().partsOf(question, signal)
    },
    confirm: requestPreview,
  }
}

/** Runs a connector of an unsaved document. @throws Refusal, NoAnswer, or the reason of `signal`. */
async function requestPreview(body: PreviewRequest, signal?: AbortSignal): Promise<PreviewAnswer> {
  return (await ask('POST', '/studio/api/preview', body, signal)) as PreviewAnswer
}

/** Explains the value of a particle. @throws Refusal, NoAnswer, or the reason of `signal`. */
async function requestExplanation(body: ExplainRequest, signal?: AbortSignal): Promise<ExplainAnswer> {
  return (await ask('POST', '/studio/api/explain', body, signal)) as ExplainAnswer
}

function createRun(engine: () => QuickPreview, inputs: Value<RunInputs>): Run {
  const latest = createLatest<PreviewRequest, PreviewAnswer>({
    send: requestPreview,
    debounceMs: DEBOUNCE_MS,
    isSame: sameQuestion,
    isGood: ({ result }) => result.outcome === 'particles',
    retryAfterMs,
    local: (question, signal) => engine().send(question, signal),
    onAnswer: (question, answer) => engine().onAnswer(question, answer),
  })
  const explanations = createLatest<ExplainRequest, ExplainAnswer>({
    send: requestExplanation,
    debounceMs: EXPLAIN_DEBOUNCE_MS,
    retryAfterMs,
  })
  return {
    state: latest,
    explanation: explanations,
    inputs,
    stop: createValue<Problem | undefined>(undefined),
    drawn: createValue<RunPayload | undefined>(undefined),
    captured: createValue<readonly CapturedWorld[]>([]),
    ask: latest.ask,
    again: latest.again,
    cancel: latest.cancel,
    explain(particle) {
      const shown = latest.getState().lastGood?.question
      if (particle === undefined || shown === undefined) return explanations.ask(undefined)
      const { particles_count: _count, ...rest } = shown
      explanations.ask({ ...rest, ...particle })
    },
    onGood(listener) {
      let before = latest.getState().lastGood
      return latest.subscribe(() => {
        const { lastGood } = latest.getState()
        if (lastGood === before) return
        before = lastGood
        const good = lastGood && goodRunOf(lastGood)
        if (good) listener(good)
      })
    },
  }
}
