import type { Context } from '#lib/core/context/context.ts'
import type { CodeArtifact } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { Failure } from '#lib/protocol/failure.ts'
import type { Rejection } from '#lib/protocol/rejection.ts'

/** A body of an unsaved document. */
export interface Body {
  readonly kind: BodyKind
  readonly name: string
  /** Solidity statements. */
  readonly source: string
}

export type BodyKind = 'transformation' | 'condition'

/** A problem of a body; without a place it concerns the whole body. */
export interface Diagnostic {
  /** Both count from 1 inside the body, columns in characters. */
  readonly place: { readonly line: number; readonly column: number } | undefined
  readonly message: string
}

export type InspectedBody =
  | { readonly ok: true; readonly argsCount: number; readonly artifact: CodeArtifact }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }

/** A compiler can find thousands. */
const MAX_DIAGNOSTICS = 100

/**
 * Compiles a body of an unsaved document. Equal bodies are compiled once, also across drafts.
 *
 * @throws Failure('overloaded')
 */
export async function inspectBody(
  ctx: Pick<Context, 'compiler'>,
  { kind, name, source }: Body,
  signal: AbortSignal,
): Promise<InspectedBody> {
  const outcome = await ctx.compiler.inspect(kind, source, signal)
  switch (outcome.status) {
    case 'compiled': {
      const { argsCount, runtime } = outcome
      const contentHash = codeContentHash(kind, name, argsCount, runtime)
      return { ok: true, argsCount, artifact: { kind, name, argsCount, runtime, contentHash } }
    }
    case 'refused':
      return { ok: false, diagnostics: [{ place: undefined, message: sentence(outcome.reason) }] }
    case 'faulty':
      return {
        ok: false,
        diagnostics: outcome.problems
          .slice(0, MAX_DIAGNOSTICS)
          .map(({ line, column, message }) => ({ place: { line, column }, message })),
      }
  }
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** Compiles one unsaved body and stores nothing. @throws Failure('overloaded') */
export function compile(ctx: Context, body: Omit<Body, 'name'>): Promise<InspectedBody> {
  return inspectBody(ctx, { ...body, name: 'unnamed' }, ctx.signal)
}

export interface TryBodyInput {
  readonly kind: BodyKind
  readonly source: string
  /** Ignored for a condition. */
  readonly x: number
  /** uint32 each; int32 for a condition. */
  readonly args: readonly number[]
  /** Number of times that a transformation is applied to its own result, 1 or more. */
  readonly steps: number
}

export type TriedBody =
  | { readonly outcome: 'not_compiled'; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly outcome: 'ran'
      readonly argsCount: number
      /** After each step; for a condition one value, 0 or 1. */
      readonly values: readonly number[]
      /** Rejection of the step after the last value. */
      readonly rejection: Rejection | undefined
    }

/**
 * Runs one unsaved body alone, as compiled for the chain, in the local EVM.
 *
 * @throws Failure('invalid_request') when it takes another number of arguments, Failure('overloaded').
 */
export async function tryBody(
  ctx: Context,
  { kind, source, x, args, steps }: TryBodyInput,
): Promise<TriedBody> {
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
}

/**
 * Running into a limit of the simulator as a rejection: to an author it is one more way in which a run ends.
 *
 * @throws the error itself when it is anything else.
 */
export function asRejection(error: unknown): Rejection {
  if (!(error instanceof Failure) || error.code !== 'rejected') throw error
  return { name: 'Limit', message: error.message.replace(/^Execution rejected: /, ''), revertData: '0x' }
}
