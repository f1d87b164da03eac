import type { Explanation, RejectionPlace } from '#lib/compute/simulator/explainer.ts'
import type { SimulationRequest } from '#lib/compute/simulator/simulator.ts'
import type { Context } from '#lib/core/context/context.ts'
import { assemble } from '#lib/core/entities/slice/assemble.ts'
import {
  compileSlice,
  type InspectedSlice,
  type Slice,
  type SliceProblem,
} from '#lib/core/entities/slice/slice.ts'
import { asRejection } from '#lib/core/entities/slice/unsaved-body.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import type { Rejection } from '#lib/protocol/rejection.ts'

/** An author watches the run: a loop that does not end is reported in a third of the time that a client of the API waits. */
const TIMEOUT_SHARE = 3

export interface PreviewInput {
  readonly slice: Slice
  /** Name in the slice, or else on the network. */
  readonly connector: string
  /** 1..65536. */
  readonly particlesCount: number
  /** Ascending by position, no repeats. */
  readonly dynamicRi: readonly PositionedRunningInstance[]
}

export interface Preview {
  readonly result: PreviewResult
  readonly bodies: InspectedSlice
  /** Milliseconds, waiting included. */
  readonly timings: { readonly compile: number; readonly build: number; readonly run: number }
}

export type PreviewResult =
  /** JSON of the list of streams. */
  { readonly outcome: 'particles'; readonly json: Uint8Array } | Stopped

/** Why a connector of a document gives nothing. */
type Stopped =
  | {
      readonly outcome: 'rejected'
      readonly rejection: Rejection
      readonly place: RejectionPlace | undefined
    }
  | { readonly outcome: 'invalid'; readonly problems: readonly SliceProblem[] }

/**
 * Compiles, builds and runs a connector of an unsaved document, with the semantics of the chain. Nothing is stored. A
 * rejection names the position in the connector at which the run stops.
 *
 * @throws Failure('overloaded'), Failure('artifacts_unavailable'), Failure('rejected') when the document is too large.
 */
export async function preview(ctx: Context, input: PreviewInput): Promise<Preview> {
  const began = performance.now()
  const bodies = await compileSlice(ctx, input.slice)
  const compiled = performance.now()
  const assembled = await assemble(ctx, input.slice, bodies, input.connector)
  const built = performance.now()
  const result = assembled.ok
    ? await run(ctx, {
        root: assembled.root,
        artifacts: assembled.artifacts,
        particlesCount: input.particlesCount,
        dynamicRi: input.dynamicRi,
        signal: ctx.signal,
        timeoutMs: Math.ceil(ctx.config.simulate.timeoutMs / TIMEOUT_SHARE),
      })
    : ({ outcome: 'invalid', problems: assembled.problems } as const)
  const timings = { compile: compiled - began, build: built - compiled, run: performance.now() - built }
  return { result, bodies, timings }
}

async function run(ctx: Context, request: SimulationRequest): Promise<PreviewResult> {
  const result = await ctx.simulator
    .simulateJson(request)
    .catch((error: unknown) => ({ ok: false as const, rejection: asRejection(error) }))
  if (result.ok) return { outcome: 'particles', json: result.json }
  const { rejection } = result
  // What ended at a limit would end there again.
  const place = rejection.name === 'Limit' ? undefined : await locate(ctx, request, rejection)
  return { outcome: 'rejected', rejection, place }
}

/** The reason is the answer; the place comes on top when it can be had. */
async function locate(ctx: Context, request: SimulationRequest, { revertData }: Rejection) {
  try {
    return await ctx.explainer.locate({ ...request, revertData })
  } catch (error) {
    ctx.signal.throwIfAborted()
    asRejection(error)
    return undefined
  }
}

export interface ExplainInput {
  readonly slice: Slice
  /** Name in the slice, or else on the network. */
  readonly connector: string
  readonly dynamicRi: readonly PositionedRunningInstance[]
  /** As particles name it: `/Connector:dimension` segments. */
  readonly path: string
  /** Number of the particle, from 0. */
  readonly step: number
}

export type Explained =
  | { readonly outcome: 'explained'; readonly explanation: Explanation }
  | { readonly outcome: 'no_such_path' }
  | Stopped

/**
 * Why a particle of an unsaved connector has the value it has: the chain of values through dimensions and
 * transformations, made by the bytes that a run uses.
 *
 * @throws as `preview` does.
 */
export async function explain(ctx: Context, input: ExplainInput): Promise<Explained> {
  const bodies = await compileSlice(ctx, input.slice)
  const assembled = await assemble(ctx, input.slice, bodies, input.connector)
  if (!assembled.ok) return { outcome: 'invalid', problems: assembled.problems }
  const { root, artifacts } = assembled
  const { dynamicRi, path, step } = input
  try {
    const request = { root, artifacts, dynamicRi, path, step, signal: ctx.signal }
    const answer = await ctx.explainer.explain(request)
    if (answer.ok) return { outcome: 'explained', explanation: answer.explanation }
    if (answer.reason === 'no_such_path') return { outcome: 'no_such_path' }
    return { outcome: 'rejected', rejection: answer.rejection, place: answer.place }
  } catch (error) {
    return { outcome: 'rejected', rejection: asRejection(error), place: undefined }
  }
}
