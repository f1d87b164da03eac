import type { CodeArtifact } from '#lib/protocol/artifact.ts'
import type { Hex } from '#lib/protocol/entity.ts'

/** A problem in an author's body; `line` and `column` count from 1 inside the body. */
export interface SourceProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** Verdict on a body, for its author. `reason` is about the body as a whole, `limit` one that it exceeded, `problems` about places in it. */
export type Inspection =
  | { readonly status: 'compiled'; readonly argsCount: number; readonly runtime: Hex }
  | { readonly status: 'refused'; readonly reason: string; readonly limit?: 'time' | 'memory' }
  | { readonly status: 'faulty'; readonly problems: readonly SourceProblem[] }

/**
 * Turns a Solidity body into an artifact. Bad bodies throw `Failure('invalid_request')` with every problem in the
 * text; too much work throws the same within the time limit; a full queue throws `Failure('overloaded')`.
 */
export interface Compiler {
  compile(
    kind: 'transformation' | 'condition',
    name: string,
    body: string,
    signal?: AbortSignal,
  ): Promise<CodeArtifact>
  /**
   * The same as data: a bad body, also one that takes too long, is an outcome. Throws only
   * `Failure('overloaded')`.
   */
  inspect(kind: 'transformation' | 'condition', body: string, signal?: AbortSignal): Promise<Inspection>
  /** Loads all threads, so that the first bodies do not wait for them. */
  start(): void
  close(): Promise<void>
}
