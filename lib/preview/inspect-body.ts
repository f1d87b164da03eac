import type { Context } from '../context.ts'
import type { CodeArtifact } from '../domain/artifact.ts'
import { codeContentHash } from '../domain/content-hash.ts'
import type { Body } from './slice.ts'

/** Something wrong with a body. Without a place it is about the body as a whole. */
export interface Diagnostic {
  /** Both count from 1 inside the body, columns in characters. */
  readonly place: { readonly line: number; readonly column: number } | undefined
  readonly message: string
}

export type InspectedBody =
  | { readonly ok: true; readonly argsCount: number; readonly artifact: CodeArtifact }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }

/** Diagnostics told of one body; a compiler can find thousands. */
const MAX_DIAGNOSTICS = 100

/**
 * Compiles a body of an unsaved document. Equal bodies are compiled once, whoever asks, also across drafts.
 *
 * @throws Failure('overloaded')
 */
export async function inspectBody(
  ctx: Pick<Context, 'compiler'>,
  { kind, name, source }: Body,
  signal: AbortSignal,
): Promise<InspectedBody> {
  const found = await ctx.compiler.inspect(kind, source, signal)
  switch (found.status) {
    case 'compiled': {
      const { argsCount, runtime } = found
      const contentHash = codeContentHash(kind, name, argsCount, runtime)
      return { ok: true, argsCount, artifact: { kind, name, argsCount, runtime, contentHash } }
    }
    case 'refused':
      return { ok: false, diagnostics: [{ place: undefined, message: sentence(found.reason) }] }
    case 'faulty':
      return {
        ok: false,
        diagnostics: found.problems
          .slice(0, MAX_DIAGNOSTICS)
          .map(({ line, column, message }) => ({ place: { line, column }, message })),
      }
  }
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
