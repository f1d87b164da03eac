import type { ParticleStream } from '../domain/particles.ts'
import type { Rejection } from '../domain/rejection.ts'
import type { ConnectorParts, RunRequest } from '../engine/run.ts'

/** One run of one connector, self-contained: no look-ups happen behind this interface. */
export interface SimulationRequest extends RunRequest {
  readonly signal?: AbortSignal
}

export type SimulationResult =
  | {
      readonly ok: true
      readonly particles: readonly ParticleStream[]
      /** False where the next block may give others. */
      readonly lasting: boolean
    }
  | { readonly ok: false; readonly rejection: Rejection }

/**
 * Runs connectors off chain with the meaning they have on chain. A rejection is an answer of the connector;
 * running out of a limit throws `Failure('rejected')`, a full queue `Failure('overloaded')`.
 */
export interface Simulator {
  simulate(request: SimulationRequest): Promise<SimulationResult>
  /** Starts what the first run would otherwise wait for. */
  start(): void
  /**
   * Gets ready for runs of a connector, if there is nothing better to do and the simulator was started: a run that comes
   * meanwhile waits for this. Never rejects.
   */
  prepare(connector: ConnectorParts): Promise<void>
  close(): Promise<void>
}
