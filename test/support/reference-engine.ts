import type { SimulationRequest } from '#lib/compute/simulator/simulator.ts'
import { createMachine, type EngineOutcome, simulatedAddress } from './machine.ts'

/**
 * Runs a connector as the chain would: the Runner contract and the entities' own code in a local EVM. Exact and
 * slow (about ten million gas a second); every faster engine is measured against its answers.
 *
 * @param gasLimit bounds the work; exceeding it is a separate outcome, not a revert.
 */
export async function runOnReferenceEngine(
  request: SimulationRequest,
  gasLimit: bigint,
): Promise<EngineOutcome> {
  const machine = await createMachine(request.artifacts, gasLimit, request.block)
  return machine.generate(simulatedAddress(request.root), request.particlesCount, request.dynamicRi)
}
