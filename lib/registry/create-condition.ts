import type { Context } from '../context.ts'
import { type CodeInput, type CreatedCode, createCode } from './create-code.ts'

/**
 * Compiles a condition's body and keeps it as the caller's draft. Posting again revises the draft. Fails as
 * `createTransformation` does.
 */
export function createCondition(ctx: Context, input: CodeInput): Promise<CreatedCode> {
  return createCode(ctx, 'condition', input)
}
