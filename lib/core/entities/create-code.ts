import type { Context } from '#lib/core/context/context.ts'
import { requireCaller } from '#lib/core/identity/authorise.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { checkName } from './check-name.ts'
import { storeDraft } from './store-draft.ts'

export interface CodeInput {
  readonly name: string
  /** Solidity statements, the body of the function. */
  readonly source: string
}

export interface CreatedCode {
  readonly name: string
  readonly owner: Address
  readonly argsCount: number
}

/**
 * Compiles the body of a transformation or a condition and stores it as the caller's draft. Posting again revises the
 * draft.
 *
 * @throws Failure('unauthenticated'), Failure('invalid_request') with the compiler's messages, Failure('name_taken'),
 *   Failure('too_many'), Failure('chain_unavailable') when the name cannot be checked on chain.
 */
export async function createCode(
  ctx: Context,
  kind: 'transformation' | 'condition',
  { name, source }: CodeInput,
): Promise<CreatedCode> {
  const owner = requireCaller(ctx)
  await checkName(ctx, kind, name, owner)
  const artifact = await ctx.compiler.compile(kind, name, source, ctx.signal)
  await storeDraft(ctx, { owner, artifact, source })
  return { name, owner, argsCount: artifact.argsCount }
}
