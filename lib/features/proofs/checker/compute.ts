import { encodeFunctionData, hexToBytes } from 'viem/utils'
import { createEngine, translators } from '#lib/engine/engine.ts'
import { runnerAbi } from '#lib/protocol/abi.ts'
import type { BlockFields } from '#lib/protocol/code-traits.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import type { Address } from '#lib/protocol/entity.ts'
import type { ParticleStream } from '#lib/protocol/particles.ts'
import { Refusal } from './refusal.ts'
import { NotComputable, type SmallOutcome, smallCall } from './small-evm.ts'
import type { Tree } from './tree.ts'

/** Values of all paths together. */
const MAX_VALUES = 4 * 1024 * 1024
/** Longest time of the engine, and most instructions of the small EVM; a published connector of an ordinary run needs far less. */
const [ENGINE_MS, SMALL_STEPS] = [20_000, 60_000_000]

export interface ProofRun {
  readonly tree: Tree
  readonly count: number
  readonly starts: readonly PositionedRunningInstance[]
  readonly block: BlockFields | undefined
  readonly runner: { readonly address: Address; readonly code: Uint8Array }
}

/** Computes what `Runner.generate` returns or reverts with. */
export interface Computed extends SmallOutcome {
  readonly by: 'engine' | 'evm'
}

/**
 * Computes a run with the engine, and what the engine declines with the Runner's own code in the small EVM.
 *
 * @throws Refusal('too_large' | 'not_computable')
 */
export function computeRun(run: ProofRun): Computed {
  const { tree, count, starts, block } = run
  if (tree.root.leafCount * count > MAX_VALUES) {
    throw new Refusal('too_large', 'The run has more values than this check computes.', false)
  }
  const engine = createEngine({ translators, cacheBytes: 64 * 1024 * 1024 })
  const request = {
    root: tree.root.contentHash,
    artifacts: tree.artifacts,
    particlesCount: count,
    dynamicRi: starts,
  }
  // Code that reads the block is left to the EVM, which has its fields.
  const outcome =
    block === undefined
      ? engine.runNow(request, { steps: 2_000_000_000, gas: 0n, milliseconds: ENGINE_MS })
      : undefined
  if (outcome?.status === 'returned') {
    return { ok: true, output: encodeParticles(outcome.particles), by: 'engine' }
  }
  if (outcome?.status === 'reverted') {
    return { ok: false, output: hexToBytes(outcome.revertData), by: 'engine' }
  }
  return { ...computeExactly(run), by: 'evm' }
}

/**
 * The same by the Runner's code in the small EVM alone.
 *
 * @param steps Most instructions.
 * @throws Refusal('not_computable')
 */
export function computeExactly(run: ProofRun, steps = SMALL_STEPS): SmallOutcome {
  const { tree, count, starts, block, runner } = run
  const codes = new Map<Address, Uint8Array>([[runner.address, runner.code]])
  for (const [address, { code }] of tree.entities) codes.set(address, code)
  const root = [...tree.entities.keys()][0] as Address
  const data = encodeFunctionData({ abi: runnerAbi, functionName: 'generateAt', args: [root, count, starts] })
  try {
    return smallCall({
      codes,
      to: runner.address,
      caller: runner.address,
      data: hexToBytes(data),
      block,
      steps,
    })
  } catch (error) {
    if (!(error instanceof NotComputable)) throw error
    throw new Refusal('not_computable', `The run was not computed here: ${error.message}.`, false)
  }
}

const WORD = 32
const utf8 = new TextEncoder()

/** The ABI encoding of `(string path, bytes data)[]`, byte for byte as the Runner returns it. */
export function encodeParticles(streams: readonly ParticleStream[]): Uint8Array {
  const items = streams.map(({ path, data }) => ({ path: utf8.encode(path), data }))
  const sizes = items.map(({ path, data }) => 4 * WORD + padded(path.length) + padded(4 * data.length))
  const heads = 2 * WORD
  let at = heads + items.length * WORD
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, at))
  const view = new DataView(bytes.buffer)
  const put = (where: number, value: number) => view.setUint32(where + WORD - 4, value)
  put(0, WORD)
  put(WORD, items.length)
  for (const [i, { path, data }] of items.entries()) {
    put(heads + i * WORD, at - heads)
    put(at, 2 * WORD)
    put(at + WORD, 3 * WORD + padded(path.length))
    put(at + 2 * WORD, path.length)
    bytes.set(path, at + 3 * WORD)
    const values = at + 3 * WORD + padded(path.length)
    put(values, 4 * data.length)
    for (let k = 0; k < data.length; k++) view.setUint32(values + WORD + 4 * k, data[k] as number)
    at += sizes[i] as number
  }
  return bytes
}

function padded(size: number): number {
  return Math.ceil(size / WORD) * WORD
}
