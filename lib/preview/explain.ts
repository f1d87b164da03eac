import type { Context } from '../context.ts'
import type { PositionedRunningInstance } from '../domain/definition.ts'
import type { Rejection } from '../domain/rejection.ts'
import type { Explanation, RejectionPlace } from '../simulator/explainer.ts'
import { assemble } from './assemble.ts'
import { compileSlice } from './compile-slice.ts'
import { asRejection } from './limit-rejection.ts'
import type { Slice, SliceProblem } from './slice.ts'

export interface ExplainInput {
  readonly slice: Slice
  /** Of the slice, or else of the network. */
  readonly connector: string
  readonly dynamicRi: readonly PositionedRunningInstance[]
  /** As particles name it: `/Connector:dimension` segments. */
  readonly path: string
  /** Number of the particle, from 0. */
  readonly step: number
}

export type Explained =
  | { readonly outcome: 'explained'; readonly explanation: Explanation }
  | {
      readonly outcome: 'rejected'
      readonly rejection: Rejection
      readonly place: RejectionPlace | undefined
    }
  | { readonly outcome: 'no_such_path' }
  | { readonly outcome: 'invalid'; readonly problems: readonly SliceProblem[] }

/**
 * Why a particle of an unsaved connector has the value it has: the chain of values through dimensions and
 * transformations, made by the bytes that a run uses.
 *
 * @throws as `preview` does.
 */
export function explain(ctx: Context, input: ExplainInput): Promise<Explained> {
  return ctx.previewGate.pass(async () => {
    const bodies = await compileSlice(ctx, input.slice)
    const assembled = await assemble(ctx, input.slice, bodies, input.connector)
    if (!assembled.ok) return { outcome: 'invalid', problems: assembled.problems }
    const { root, artifacts } = assembled
    const { dynamicRi, path, step } = input
    try {
      const found = await ctx.explainer.explain({
        root,
        artifacts,
        dynamicRi,
        path,
        step,
        signal: ctx.signal,
      })
      if (found.ok) return { outcome: 'explained', explanation: found.explanation }
      if (found.reason === 'no_such_path') return { outcome: 'no_such_path' }
      return { outcome: 'rejected', rejection: found.rejection, place: found.place }
    } catch (error) {
      return { outcome: 'rejected', rejection: asRejection(error), place: undefined }
    }
  }, ctx.client)
}
