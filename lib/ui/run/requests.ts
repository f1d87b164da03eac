import { ask, Refusal } from '#lib/browser/requests.ts'
import type { Provenance } from '#lib/core/entities/execution/run-on-chain.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import { startsWire } from '#lib/protocol/definition-wire.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import type {
  ChainRunAnswer,
  ChainRunRequest,
  ProvenanceWire,
} from '#lib/server/operations/studio/execute.ts'
import { importAgain } from '#lib/ui/kit/missing-chunk.ts'
import { type ChainRunState, type Run, UNAVAILABLE } from '#lib/views/run.ts'

/** A run to make. */
export interface RunRequest {
  readonly connector: string
  /** 1..65536. */
  readonly count: number
  readonly dynamicRi: readonly PositionedRunningInstance[]
}

const NO_ANSWER = 'The server did not answer.'

/**
 * Runs a connector in the local EVM of the server.
 *
 * @throws {DOMException} `AbortError` when the signal is aborted; everything else is a `Run`.
 */
export async function simulateRun(
  { connector, count, dynamicRi }: RunRequest,
  signal: AbortSignal,
): Promise<Run> {
  try {
    // Loaded on demand: most pages include their run.
    const { createChainClient } = await importAgain(() => import('#lib/client/chain.ts'))
    const { data, error, response } = await createChainClient('/chain').POST('/simulate', {
      body: { connector_name: connector, particles_count: count, dynamic_ri: startsWire(dynamicRi) },
      signal,
    })
    if (data !== undefined) return { state: 'particles', streams: data, paths: data.length }
    if (response.status === 404) return { state: 'unknown' }
    const message = error?.message ?? UNAVAILABLE
    return { state: response.status === 400 ? 'rejected' : 'unavailable', message }
  } catch (error) {
    if (signal.aborted) throw error
    return { state: 'unavailable', message: UNAVAILABLE }
  }
}

/**
 * Runs a published connector on chain.
 *
 * @param blockHash The block to run at; the newest when absent.
 * @throws {DOMException} `AbortError` when the signal is aborted; everything else is a `ChainRunState`.
 */
export async function executeRun(
  { connector, count, dynamicRi }: RunRequest,
  blockHash: Hash | undefined,
  signal: AbortSignal,
): Promise<ChainRunState> {
  const body: ChainRunRequest = {
    connector_name: connector,
    particles_count: count,
    dynamic_ri: startsWire(dynamicRi),
    ...(blockHash && { block_hash: blockHash }),
  }
  try {
    return stateOf((await ask('POST', '/studio/api/execute', body, signal)) as ChainRunAnswer)
  } catch (error) {
    if (signal.aborted) throw error
    const message = error instanceof Refusal && error.message !== '' ? `${error.message}.` : NO_ANSWER
    return { state: 'unavailable', message }
  }
}

function stateOf(answer: ChainRunAnswer): ChainRunState {
  switch (answer.outcome) {
    case 'block_gone':
    case 'state_gone':
      return { state: answer.outcome }
    case 'unknown':
      return { state: 'unknown', provenance: provenanceOf(answer.provenance) }
    case 'rejected':
      return {
        state: 'rejected',
        message: answer.message,
        provenance: provenanceOf(answer.provenance),
      }
    case 'particles':
      return {
        state: 'particles',
        streams: answer.particles,
        paths: answer.particles.length,
        provenance: provenanceOf(answer.provenance),
      }
  }
}

function provenanceOf(wire: ProvenanceWire): Provenance {
  return {
    blockNumber: wire.block_number,
    blockHash: wire.block_hash as Hash,
    blockTimeMs: wire.block_time_ms,
    chainId: wire.chain_id,
    runner: wire.runner as Provenance['runner'],
    registry: wire.registry as Provenance['registry'],
  }
}
