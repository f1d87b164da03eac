import type { Context } from '../context.ts'
import { Failure } from '../domain/failure.ts'
import type { Rejection } from '../domain/rejection.ts'
import { type Diagnostic, inspectBody } from './inspect-body.ts'
import { asRejection } from './limit-rejection.ts'
import type { BodyKind } from './slice.ts'

export interface TryBodyInput {
  readonly kind: BodyKind
  readonly source: string
  /** Ignored for a condition. */
  readonly x: number
  /** uint32 each; int32 for a condition. */
  readonly args: readonly number[]
  /** How often a transformation is applied to its own result, 1 or more. */
  readonly steps: number
}

export type TriedBody =
  | { readonly outcome: 'not_compiled'; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly outcome: 'ran'
      readonly argsCount: number
      /** After each step; for a condition one value, 0 or 1. */
      readonly values: readonly number[]
      /** Of the step after the last value. */
      readonly rejection: Rejection | undefined
    }

/**
 * Runs one unsaved body by itself, as compiled for the chain, in the local EVM.
 *
 * @throws Failure('invalid_request') when it takes another number of arguments, Failure('overloaded').
 */
export function tryBody(ctx: Context, { kind, source, x, args, steps }: TryBodyInput): Promise<TriedBody> {
  return ctx.previewGate.pass(async () => {
    const body = await inspectBody(ctx, { kind, name: 'unnamed', source }, ctx.signal)
    if (!body.ok) return { outcome: 'not_compiled', diagnostics: body.diagnostics }
    const { artifact, argsCount } = body
    if (args.length !== argsCount) {
      const takes = `${argsCount} ${argsCount === 1 ? 'argument' : 'arguments'}`
      throw new Failure('invalid_request', `The body takes ${takes}, ${args.length} given`)
    }
    const { values, rejection } = await ctx.explainer
      .tryBody({ artifact, x, args, steps, signal: ctx.signal })
      .catch((error: unknown) => ({ values: [], rejection: asRejection(error) }))
    return { outcome: 'ran', argsCount, values, rejection }
  }, ctx.client)
}
