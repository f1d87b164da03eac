import type { RunRequest } from '#lib/engine/run.ts'
import type { ParticleStream } from '#lib/protocol/particles.ts'
import type { Rejection } from '#lib/protocol/rejection.ts'

/** One run of one connector, with everything it needs. */
export interface SimulationRequest extends RunRequest {
  readonly signal?: AbortSignal
  /** Wall clock in milliseconds; at most, and by default, the simulator's. */
  readonly timeoutMs?: number
}

export type SimulationResult =
  | {
      readonly ok: true
      readonly particles: readonly ParticleStream[]
      /** Number of streams, of which `particles` may be the first few. */
      readonly paths: number
    }
  | Rejected

/** `json` is the UTF-8 of the list of streams, as the API returns it. */
export type JsonResult =
  | {
      readonly ok: true
      readonly json: Uint8Array<ArrayBuffer>
    }
  | Rejected

interface Rejected {
  readonly ok: false
  readonly rejection: Rejection
}

/**
 * Runs connectors off chain with the results of the chain. A rejection by the connector is a result; a limit throws
 * `Failure('rejected')`, a full queue `Failure('overloaded')`.
 */
export interface Simulator {
  /** @param streams Number of streams to return, the first ones; all by default. */
  simulate(request: SimulationRequest, streams?: number): Promise<SimulationResult>
  /** The same as JSON, serialised on the thread. A limit on its size applies, checked before the run as far as possible. */
  simulateJson(request: SimulationRequest): Promise<JsonResult>
  /** Starts the first thread, which loads the EVM. */
  start(): void
  close(): Promise<void>
}
