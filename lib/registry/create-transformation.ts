import type { Context } from '../context.ts'
import { type CodeInput, type CreatedCode, createCode } from './create-code.ts'

/**
 * Compiles a transformation's body and keeps it as the caller's draft. Posting again revises the draft.
 *
 * @throws Failure('unauthenticated'), Failure('invalid_request') with the compiler's messages, Failure('name_taken'),
 *   Failure('too_many'), Failure('chain_unavailable') when the name cannot be checked on chain.
 */
export function createTransformation(ctx: Context, input: CodeInput): Promise<CreatedCode> {
  return createCode(ctx, 'transformation', input)
}
