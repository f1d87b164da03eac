import type { ExactEngine, ExactOutcome } from '#lib/engine/run.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import { createLocalEvm, type LocalEvm, RUNNER_ADDRESS, Unanswerable } from './local-evm.ts'

/** Creates an exact engine: an EVM with one entity at a time, called by the Runner's address. */
export function createExactEngine(): ExactEngine {
  let evm: Promise<LocalEvm> | undefined
  let holds: { readonly hash: Hash; readonly at: Address } | undefined

  return {
    call: async ({ code, calldata, gas, block, check }): Promise<ExactOutcome> => {
      evm ??= createLocalEvm()
      const local = await evm
      if (holds?.hash !== code.contentHash) {
        if (holds) await local.remove(holds.at)
        holds = { hash: code.contentHash, at: `0x${code.contentHash.slice(-40)}` }
        await local.put(holds.at, code.runtime)
      }
      try {
        return await local.call({ to: holds.at, from: RUNNER_ADDRESS, calldata, gas, block, check })
      } catch (error) {
        evm = undefined
        holds = undefined
        if (error instanceof Unanswerable) return { status: 'refused', reads: error.reads, gasUsed: 0n }
        throw error
      }
    },
  }
}
