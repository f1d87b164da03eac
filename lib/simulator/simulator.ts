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
      /** Streams there are, of which `particles` may be the first few. */
      readonly paths: number
    }
  | Rejected

/** `json` is the UTF-8 of the list of streams, as the API gives it. */
export type JsonResult = { readonly ok: true; readonly json: Uint8Array<ArrayBuffer> } | Rejected

interface Rejected {
  readonly ok: false
  readonly rejection: Rejection
}

/**
 * Runs connectors off chain with the meaning they have on chain. A rejection is an answer of the connector;
 * running out of a limit throws `Failure('rejected')`, a full queue `Failure('overloaded')`.
 */
export interface Simulator {
  /** @param streams So many of the first streams are returned; unset, all. */
  simulate(request: SimulationRequest, streams?: number): Promise<SimulationResult>
  /**
   * The same as text, which is written where it was made. An answer that would be larger than this server gives is a
   * limit too: known before the run is made as far as its paths go, and before it is written in any case.
   */
  simulateJson(request: SimulationRequest): Promise<JsonResult>
  /** Starts what the first run would otherwise wait for. */
  start(): void
  /**
   * Gets ready for runs of a connector, if there is nothing better to do and the simulator was started: a run that comes
   * meanwhile waits for this. Never rejects.
   */
  prepare(connector: ConnectorParts): Promise<void>
  close(): Promise<void>
}
