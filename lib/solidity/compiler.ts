import type { CodeArtifact } from '../domain/artifact.ts'

/** A problem in an author's body; `line` and `column` count from 1 inside the body. */
export interface SourceProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}

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
  close(): Promise<void>
}
