import type { Artifact, CodeArtifact } from '#lib/protocol/artifact.ts'
import type { BlockFields } from '#lib/protocol/code-traits.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import type { Hash, Hex } from '#lib/protocol/entity.ts'
import type { Rejection } from '#lib/protocol/rejection.ts'
import type { ResolvedRunningInstance, RunningInstanceSource } from '#lib/protocol/running-instance.ts'
import type { SimulationRequest } from './simulator.ts'

/** Request to explain one particle of a run. */
export interface ExplainRequest {
  readonly root: Hash
  /** The root and everything it depends on, each once. */
  readonly artifacts: readonly Artifact[]
  readonly dynamicRi: readonly PositionedRunningInstance[]
  /** As particles name it. */
  readonly path: string
  /** Number of the particle, from 0. */
  readonly step: number
  readonly block?: BlockFields | undefined
  readonly signal?: AbortSignal
}

/** The dimensions from the root down to a particle's leaf; each value is the index of the next. */
export interface Explanation {
  readonly start: { readonly index: number; readonly source: RunningInstanceSource }
  /** Number of the particle plus start: the index of the first dimension. */
  readonly index: number
  readonly dimensions: readonly ExplainedDimension[]
  /** The particle. */
  readonly value: number
}

export interface ExplainedDimension {
  readonly path: string
  readonly position: number
  readonly connector: string
  readonly dimension: number
  /** Empty for the last one. */
  readonly leadsTo: string
  readonly runningInstance: ResolvedRunningInstance
  /** Number of transformations that are applied, one after another, to the start point. */
  readonly index: number
  /** The last ones, at most `SHOWN_STEPS`. */
  readonly steps: readonly ExplainedStep[]
  readonly value: number
}

export interface ExplainedStep {
  /** From 1 to the dimension's index. */
  readonly number: number
  /** Number of the call in the dimension, from 0. */
  readonly call: number
  readonly transformation: string
  readonly args: readonly number[]
  readonly before: number
  readonly after: number
}

/** Steps listed for each dimension. */
export const SHOWN_STEPS = 32

export type ExplainResult =
  | { readonly ok: true; readonly explanation: Explanation }
  /** No leaf has the path. */
  | { readonly ok: false; readonly reason: 'no_such_path' }
  | {
      readonly ok: false
      readonly reason: 'rejected'
      readonly rejection: Rejection
      readonly place: RejectionPlace | undefined
    }

/** Where in the expanded connector a run stops. */
export type RejectionPlace =
  /** Before the first dimension: the indices themselves. */
  | { readonly kind: 'start' }
  /** `path` is the dimension that leads to the connector; empty for the root. */
  | {
      readonly kind: 'condition'
      readonly path: string
      readonly connector: string
      readonly condition: string
    }
  /** The caller overrides a fixed running instance, or a shift is too large to count turns from. */
  | ({ readonly kind: 'running-instance' } & DimensionPlace)
  /** A transformation refuses; `step` counts from 1, `x` is its input. */
  | ({
      readonly kind: 'step'
      readonly call: number
      readonly transformation: string
      readonly args: readonly number[]
      readonly step: number
      readonly x: number
    } & DimensionPlace)

export interface DimensionPlace {
  readonly path: string
  readonly position: number
  readonly connector: string
  readonly dimension: number
}

/** A run, and what it was rejected with. */
export interface LocateRequest extends SimulationRequest {
  readonly revertData: Hex
}

/** Request to run one body alone. */
export interface TryRequest {
  readonly artifact: CodeArtifact
  /** Ignored by conditions. */
  readonly x: number
  /** uint32 each, int32 for conditions. */
  readonly args: readonly number[]
  /** Number of times that a transformation is applied to its own result, at least 1. */
  readonly steps: number
  readonly block?: BlockFields | undefined
  readonly signal?: AbortSignal
}

/** Values after each step; for a condition one value, 0 or 1. A rejection belongs to the step after the last value. */
export interface TryResult {
  readonly values: readonly number[]
  readonly rejection: Rejection | undefined
}

/**
 * Explains runs and rejections, with the same code in the same EVM. A limit throws `Failure('rejected')`, a full queue
 * `Failure('overloaded')`.
 */
export interface Explainer {
  explain(request: ExplainRequest): Promise<ExplainResult>
  /** Where a rejected run stops; undefined when it is unknown. */
  locate(request: LocateRequest): Promise<RejectionPlace | undefined>
  tryBody(request: TryRequest): Promise<TryResult>
}
