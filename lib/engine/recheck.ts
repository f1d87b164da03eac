import { hexToBytes } from 'viem/utils'
import type { Artifact } from '#lib/protocol/artifact.ts'
import { traitsOf } from '#lib/protocol/code-traits.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import type { Tree } from '#lib/protocol/entity-tree.ts'
import type { ParticleStream } from '#lib/protocol/particles.ts'
import { Refusal } from '#lib/protocol/refusal.ts'
import { createEngine, translators } from './engine.ts'

/** Values of all paths together. */
const MAX_VALUES = 4 * 1024 * 1024
/** Work of one check. */
export interface ProofLimits {
  readonly steps: number
  readonly milliseconds: number
}

/** A published connector of an ordinary run needs far less. */
const LIMITS: ProofLimits = { steps: 300_000_000, milliseconds: 20_000 }

export interface ProofRun {
  readonly tree: Tree
  readonly count: number
  readonly starts: readonly PositionedRunningInstance[]
}

/** Return or revert data of `Runner.generateAt`; a failure without data is a revert with none. */
export interface Computed {
  readonly ok: boolean
  readonly output: Uint8Array
}

/** Any block gives the same as this one. @throws Refusal */
export function checkInput({ artifacts }: Tree): void {
  const { dependsOn, reads } = traitsOf(artifacts)
  if (dependsOn === 'input') return
  throw new Refusal(
    'not_recheckable',
    `The run depends on more than its input: its code uses ${reads.join(', ')}. Run it again at a node.`,
    false,
  )
}

/**
 * Computes a run that reads nothing but its input.
 *
 * @throws Refusal('too_large' | 'not_computable')
 */
export function computeRun({ tree, count, starts }: ProofRun, limits = LIMITS): Computed {
  if (tree.root.leafCount * count > MAX_VALUES) {
    throw new Refusal('too_large', 'The run has more values than this check computes.', false)
  }
  const engine = createEngine({ translators, cacheBytes: 64 * 1024 * 1024, withoutGas: true })
  const request = {
    root: wordOf([...tree.entities.keys()][0] as Address),
    artifacts: addressed(tree),
    particlesCount: count,
    dynamicRi: starts,
  }
  const outcome = engine.runNow(request, { ...limits, gas: 0n })
  switch (outcome.status) {
    case 'returned':
      return { ok: true, output: encodeParticles(outcome.particles) }
    case 'reverted':
      return { ok: false, output: hexToBytes(outcome.revertData) }
    case 'exhausted':
      throw new Refusal('not_computable', 'The run takes more work than this check does.', false)
    default:
      throw new Refusal('not_computable', 'The code uses what this check does not compute.', false)
  }
}

/** The artifacts, identified by their addresses: the Runner names a broken one by it. */
function addressed({ artifacts, addresses }: Tree): Artifact[] {
  const names = new Map(artifacts.map(({ contentHash }, i) => [contentHash, wordOf(addresses[i] as Address)]))
  const withAddressWord = <T extends { readonly contentHash: Hash }>(one: T): T => ({
    ...one,
    contentHash: names.get(one.contentHash) as Hash,
  })
  return artifacts.map((artifact) =>
    artifact.kind === 'connector'
      ? { ...withAddressWord(artifact), dependencies: artifact.dependencies.map(withAddressWord) }
      : withAddressWord(artifact),
  )
}

function wordOf(address: Address): Hash {
  return `0x${address.slice(2).padStart(64, '0')}`
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
