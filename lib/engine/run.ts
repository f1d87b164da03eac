import type { Artifact, CodeArtifact } from '../domain/artifact.ts'
import type { PositionedRunningInstance } from '../domain/definition.ts'
import type { Hash, Hex } from '../domain/entity.ts'
import type { ParticleStream } from '../domain/particles.ts'
import type { CallOutcome } from './types.ts'

/** A connector, self-contained. */
export interface ConnectorParts {
  readonly root: Hash
  /** The root and everything it depends on, each once. */
  readonly artifacts: readonly Artifact[]
}

/** One run of one connector. */
export interface RunRequest extends ConnectorParts {
  /** 1..65536. */
  readonly particlesCount: number
  /** Ascending by position, no repeats. */
  readonly dynamicRi: readonly PositionedRunningInstance[]
}

/** How much a run may cost. */
export interface RunLimits {
  /** Steps of sequences and basic blocks of translated code, all together; eight values that are known cost a step. */
  readonly steps: number
  /** Gas of everything that the exact engine has to do. */
  readonly gas: bigint
  /** Wall clock; looked at between pieces of work. */
  readonly milliseconds: number
  /** Asked between pieces of work. */
  readonly cancelled?: () => boolean
  /** Bytes that the particles may have as JSON; unset, as many as they have. */
  readonly answerBytes?: number
}

export type RunOutcome =
  /** All values lie in one buffer that belongs to the receiver, one leaf after another. */
  | { readonly status: 'returned'; readonly particles: readonly ParticleStream[] }
  | { readonly status: 'reverted'; readonly revertData: Hex }
  /** `bytes` says how large the answer would be at least, of the limit of that name. */
  | { readonly status: 'exhausted'; readonly limit: Limit; readonly bytes?: number }
  /** Only an exact engine could say, and there is none. */
  | { readonly status: 'declined'; readonly reason: DeclineReason }

export type Limit = 'steps' | 'gas' | 'time' | 'values' | 'answer' | 'cancelled'

export type DeclineReason =
  /** A body that no translation can do exactly, or what it reverts with. */
  | 'untranslated'
  /** The answer of a condition. */
  | 'condition'
  /** The body was not compared with the exact engine yet. */
  | 'unchecked'

/** A message call that needs an exact EVM. */
export interface ExactCall {
  readonly code: CodeArtifact
  readonly calldata: Uint8Array
  /** Gas this call may use; running out of it is an outcome of its own, not a revert. */
  readonly gas: bigint
}

export type ExactOutcome =
  | (CallOutcome & { readonly gasUsed: bigint })
  /** Out of gas. */
  | { readonly status: 'exhausted'; readonly gasUsed: bigint }

/** An exact EVM: every opcode, every answer. Calls are static and see an otherwise empty chain. */
export interface ExactEngine {
  call(call: ExactCall): Promise<ExactOutcome>
}
