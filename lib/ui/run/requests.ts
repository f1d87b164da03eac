import type { ChainRunAnswer, ChainRunRequest, ProvenanceWire } from '../../api/studio/execute-schemas.ts'
import type { PositionedRunningInstance } from '../../domain/definition.ts'
import type { Hash } from '../../domain/entity.ts'
import type { Provenance } from '../../execution/run-on-chain.ts'
import type { Run } from '../../site-data/run.ts'

/** What a page asks to be run. */
export interface Asked {
  readonly connector: string
  /** 1..65536. */
  readonly count: number
  readonly dynamicRi: readonly PositionedRunningInstance[]
}

/** What became of a run on chain, in the terms of a page. */
export type ChainRunState =
  | (Extract<Run, { state: 'particles' | 'rejected' }> & { readonly provenance: Provenance })
  | { readonly state: 'unknown'; readonly provenance: Provenance }
  /** The chain has no such block any more, or the node does not keep what was stored at it. */
  | { readonly state: 'block_gone' | 'state_gone' }
  | { readonly state: 'unavailable'; readonly message: string }

const NO_ANSWER = 'The server did not answer.'

/**
 * Runs a connector in the local EVM of the server.
 *
 * @throws {DOMException} `AbortError` when the signal says so; everything else is a `Run`.
 */
export async function simulateRun({ connector, count, dynamicRi }: Asked, signal: AbortSignal): Promise<Run> {
  try {
    // Most pages come with what they show.
    const { createChainClient } = await import('../../client/chain.ts')
    const { data, error, response } = await createChainClient('/chain').POST('/simulate', {
      body: { connector_name: connector, particles_count: count, dynamic_ri: startsWire(dynamicRi) },
      signal,
    })
    if (data !== undefined) return { state: 'particles', streams: data, paths: data.length }
    if (response.status === 404) return { state: 'unknown' }
    const message = error?.message ?? NO_ANSWER
    return { state: response.status === 400 ? 'rejected' : 'unavailable', message }
  } catch (error) {
    if (signal.aborted) throw error
    return { state: 'unavailable', message: NO_ANSWER }
  }
}

/**
 * Runs a published connector on chain.
 *
 * @param blockHash The block to run at; the newest when absent.
 * @throws {DOMException} `AbortError` when the signal says so; everything else is a `ChainRunState`.
 */
export async function executeRun(
  { connector, count, dynamicRi }: Asked,
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
    const response = await fetch('/studio/api/execute', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    })
    if (response.ok) return stateOf((await response.json()) as ChainRunAnswer)
    const said = (await response.json().catch(() => undefined)) as { message?: unknown } | undefined
    return {
      state: 'unavailable',
      message: typeof said?.message === 'string' ? `${said.message}.` : NO_ANSWER,
    }
  } catch (error) {
    if (signal.aborted) throw error
    return { state: 'unavailable', message: NO_ANSWER }
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

/** Starts as the API takes them. */
export function startsWire(dynamicRi: readonly PositionedRunningInstance[]) {
  return Object.fromEntries(
    dynamicRi.map(({ position, startPoint, transformationShift }) => [
      position,
      { start_point: startPoint, transformation_shift: transformationShift },
    ]),
  )
}
