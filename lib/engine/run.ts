import type { Artifact, CodeArtifact } from '#lib/protocol/artifact.ts'
import type { BlockFields } from '#lib/protocol/code-traits.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import type { Hash, Hex } from '#lib/protocol/entity.ts'
import type { ParticleStream } from '#lib/protocol/particles.ts'
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
  /** The block that code may read; without it such code is refused. */
  readonly block?: BlockFields | undefined
}

/** Limits of one run. */
export interface RunLimits {
  /** Steps of sequences and basic blocks of translated code, all together; eight values that are only written count as one. */
  readonly steps: number
  /** Gas of all calls of the exact engine. */
  readonly gas: bigint
  /** Wall clock, checked between chunks. */
  readonly milliseconds: number
  /** Checked between chunks. */
  readonly cancelled?: () => boolean
  /** Largest size of the particles as JSON, in bytes; unlimited by default. */
  readonly answerBytes?: number
}

export type RunOutcome =
  /** All values are in one buffer owned by the receiver, one leaf after another. */
  | { readonly status: 'returned'; readonly particles: readonly ParticleStream[] }
  | { readonly status: 'reverted'; readonly revertData: Hex }
  /** `bytes`: smallest size of the result, for the limit `answer`. */
  | { readonly status: 'exhausted'; readonly limit: Limit; readonly bytes?: number }
  /** Code reads what is only known on chain. */
  | ({ readonly status: 'refused' } & Unknowable)
  /** The exact engine is needed, and there is none. */
  | { readonly status: 'declined'; readonly reason: DeclineReason }

/** Values that code reads and a simulation cannot know. */
export interface Unknowable {
  /** Name of the code. */
  readonly name: string
  /** The opcode, with details where it alone is ambiguous. */
  readonly reads: string
}

export type Limit = 'steps' | 'gas' | 'time' | 'values' | 'answer' | 'cancelled'

export type DeclineReason =
  /** A call that no translation computes exactly, or its revert data. */
  | 'untranslated'
  /** The verdict of a condition. */
  | 'condition'
  /** The transformation was not compared with the exact engine yet. */
  | 'unchecked'

/** A message call that needs an exact EVM. */
export interface ExactCall {
  readonly code: CodeArtifact
  readonly calldata: Uint8Array
  /** Gas limit; exceeding it is a separate outcome, not a revert. */
  readonly gas: bigint
  readonly block?: BlockFields | undefined
  /** To be called now and then; what it throws ends the call. */
  readonly check?: () => void
}

export type ExactOutcome =
  | (CallOutcome & { readonly gasUsed: bigint })
  /** Out of gas. */
  | { readonly status: 'exhausted'; readonly gasUsed: bigint }
  | { readonly status: 'refused'; readonly gasUsed: bigint; readonly reads: string }

/** An exact EVM: every opcode; refuses what depends on more than the call and the block. */
export interface ExactEngine {
  call(call: ExactCall): Promise<ExactOutcome>
}

/** Place of a revert: a condition, an invalid running instance, or a step, counted from 1, applied to x. */
export type RevertCause =
  | { readonly kind: 'condition' | 'instance' }
  | { readonly kind: 'step'; readonly step: number; readonly x: number }

/** The run reverts. */
export class RunReverted extends Error {
  override readonly name = 'RunReverted'
  readonly revertData: Hex
  /** Absent where it is unknown. */
  override readonly cause: RevertCause | undefined
  /** Position of the dimension, as running instances count; 0 before the first one. */
  position = 0

  constructor(revertData: Hex, cause?: RevertCause) {
    super(revertData)
    this.revertData = revertData
    this.cause = cause
  }
}

/** The run reached a limit. */
export class RunExhausted extends Error {
  override readonly name = 'RunExhausted'
  readonly limit: Limit
  /** Smallest size of a result that is too large. */
  readonly bytes: number | undefined

  constructor(limit: Limit, bytes?: number) {
    super(limit)
    this.limit = limit
    this.bytes = bytes
  }
}

/** The run depends on what is only known on chain. */
export class RunRefused extends Error {
  override readonly name = 'RunRefused'
  readonly unknowable: Unknowable

  constructor(unknowable: Unknowable) {
    super(unknowable.reads)
    this.unknowable = unknowable
  }
}

/** The run needs an exact engine, and there is none. */
export class RunDeclined extends Error {
  override readonly name = 'RunDeclined'
  readonly reason: DeclineReason

  constructor(reason: DeclineReason) {
    super(reason)
    this.reason = reason
  }
}
