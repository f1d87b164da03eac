import type { Artifact } from '../domain/artifact.ts'
import type { PositionedRunningInstance } from '../domain/definition.ts'
import type { Hash } from '../domain/entity.ts'
import type { ParticleStream } from '../domain/particles.ts'
import type { Rejection } from '../domain/rejection.ts'

/** One run of one connector, self-contained: no look-ups happen behind this interface. */
export interface SimulationRequest {
  readonly root: Hash
  /** The root and everything it depends on, each once. */
  readonly artifacts: readonly Artifact[]
  /** 1..65536. */
  readonly particlesCount: number
  /** Ascending by position, no repeats. */
  readonly dynamicRi: readonly PositionedRunningInstance[]
  readonly signal?: AbortSignal
}

export type SimulationResult =
  | { readonly ok: true; readonly particles: readonly ParticleStream[] }
  | { readonly ok: false; readonly rejection: Rejection }

/**
 * Runs connectors off chain with the meaning they have on chain. A rejection is an answer of the connector;
 * running out of a limit throws `Failure('rejected')`, a full queue `Failure('overloaded')`.
 */
export interface Simulator {
  simulate(request: SimulationRequest): Promise<SimulationResult>
  close(): Promise<void>
}
