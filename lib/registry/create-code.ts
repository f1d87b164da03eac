import type { Context } from '../context.ts'
import type { Address } from '../domain/entity.ts'
import { requireCaller } from '../identity/require-caller.ts'
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

/** What creating a transformation and creating a condition have in common: everything but the kind. */
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
