import { keccak256, stringToBytes } from 'viem/utils'
import type { ConnectorSummary, Leaf } from './artifact.ts'
import type { ConnectorDefinition } from './definition.ts'
import type { Hash } from './entity.ts'

/** Most final scalars a connector may have. */
export const MAX_LEAVES = 4096

/** Deepest nesting of connectors in an expanded tree. */
export const MAX_DEPTH = 256

/**
 * Number of leaves of a connector, without building them: nesting multiplies, so it is checked first.
 *
 * @param leavesOf Leaves of a composite or binding target; the definition must have passed the creation checks.
 */
export function countLeaves(
  definition: ConnectorDefinition,
  leavesOf: (name: string) => { readonly length: number },
): number {
  let count = 0
  for (const dimension of definition.dimensions) {
    if (dimension.composite === '') count += 1
    else {
      count += leavesOf(dimension.composite).length
      for (const binding of dimension.bindings) count += leavesOf(binding.name).length - 1
    }
  }
  return count
}

/**
 * The final scalars of a connector in particle order, repeats included. A scalar dimension is a leaf of the
 * connector itself; a composite contributes its own leaves, where each bound one is replaced, in place, by the
 * leaves of its target.
 *
 * @example host `[K { 0 -> T }]` with K of two scalars and T of one has the leaves `T:0, K:1`.
 */
export function connectorLeaves(
  definition: ConnectorDefinition,
  leavesOf: (name: string) => readonly Leaf[],
): Leaf[] {
  const leaves: Leaf[] = []
  definition.dimensions.forEach((dimension, index) => {
    if (dimension.composite === '') {
      leaves.push({ connector: definition.name, dimension: index })
      return
    }
    const targets = new Map(dimension.bindings.map((binding) => [binding.slot, binding.name]))
    leavesOf(dimension.composite).forEach((leaf, slot) => {
      const target = targets.get(slot)
      if (target === undefined) leaves.push(leaf)
      else for (const replacement of leavesOf(target)) leaves.push(replacement)
    })
  })
  return leaves
}

/**
 * A bound on how deep connectors nest when a definition is expanded. Bound targets hang below the leaves of their
 * composite, so the two depths add up; counting only the deeper one would let nesting double with every level.
 */
export function connectorDepth(definition: ConnectorDefinition, depthOf: (name: string) => number): number {
  let below = 0
  for (const dimension of definition.dimensions) {
    if (dimension.composite === '') continue
    const bound = dimension.bindings.reduce((deepest, { name }) => Math.max(deepest, depthOf(name)), 0)
    below = Math.max(below, depthOf(dimension.composite) + bound)
  }
  return below + 1
}

const DIMENSION_DOMAIN = 0x10
const LABEL_DOMAIN = 0x12
const LANES = 4

/** 64-bit sums, the least significant first. */
type Lanes = BigUint64Array

/**
 * Hash of the set of a connector's leaves, independent of their order, repetition and paths. Connectors with equal format
 * hashes are interchangeable.
 *
 * Four 64-bit lanes; each adds, modulo 2^64, a digest of every distinct leaf. Lane 3 is the most significant.
 *
 * @param parts Connectors whose leaves are among them, each once: their hashes are added, so that only leaves that
 *   are new, gone or in several of them have to be hashed.
 */
export function formatHash(leaves: readonly Leaf[], parts?: FormatParts): Hash {
  return finished(formatHashSteps(leaves, parts))
}

type FormatParts = readonly Pick<ConnectorSummary, 'leaves' | 'formatHash'>[]

/** Returns the same, and yields after each leaf it hashes: thousands of them take long. */
export function* formatHashSteps(leaves: readonly Leaf[], parts: FormatParts = []): Generator<void, Hash> {
  const sum: Lanes = new BigUint64Array(LANES)
  const added = new Map<string, { readonly leaf: Leaf; times: number }>()
  for (const part of parts) {
    add(sum, parse(part.formatHash), 1)
    for (const [label, leaf] of distinctLeaves(part.leaves)) {
      const entry = added.get(label)
      if (entry) entry.times += 1
      else added.set(label, { leaf, times: 1 })
    }
  }
  const own = distinctLeaves(leaves)
  for (const [label, leaf] of own) {
    const times = added.get(label)?.times ?? 0
    if (times === 1) continue
    add(sum, digestOf(leaf), 1 - times)
    yield
  }
  for (const [label, { leaf, times }] of added) {
    if (own.has(label)) continue
    add(sum, digestOf(leaf), -times)
    yield
  }
  const lanes = Array.from(sum, (lane) => lane.toString(16).padStart(16, '0'))
  return `0x${lanes.reverse().join('')}`
}

/** Runs work that comes in steps to its end, in one go. */
export function finished<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Distinct labels `<declaring connector>:<dimension>`, ascending by code unit: `A:10` comes before `A:2`. */
export function scalarLabels(leaves: readonly Leaf[]): string[] {
  return [...distinctLeaves(leaves).keys()].sort()
}

/** Connectors share the leaves of their parts, so most repeats are the same object. */
function distinctLeaves(leaves: readonly Leaf[]): Map<string, Leaf> {
  const distinct = new Map<string, Leaf>()
  for (const leaf of new Set(leaves)) distinct.set(factsOf(leaf).label, leaf)
  return distinct
}

interface LeafFacts {
  readonly label: string
  digest?: Lanes
}

const factsByLeaf = new WeakMap<Leaf, LeafFacts>()

function factsOf(leaf: Leaf): LeafFacts {
  let facts = factsByLeaf.get(leaf)
  if (facts === undefined) {
    facts = { label: `${leaf.connector}:${leaf.dimension}` }
    factsByLeaf.set(leaf, facts)
  }
  return facts
}

function digestOf(leaf: Leaf): Lanes {
  const facts = factsOf(leaf)
  facts.digest ??= digest(leaf)
  return facts.digest
}

function digest({ connector, dimension }: Leaf): Lanes {
  const index = new Uint8Array(5)
  index[0] = DIMENSION_DOMAIN
  new DataView(index.buffer).setUint32(1, dimension)
  const label = new Uint8Array(65)
  label[0] = LABEL_DOMAIN
  label.set(keccak256(stringToBytes(connector), 'bytes'), 1)
  label.set(keccak256(index, 'bytes'), 33)
  const lane = new Uint8Array(33)
  lane.set(keccak256(label, 'bytes'), 1)
  const lanes = new BigUint64Array(LANES)
  for (let k = 0; k < LANES; k++) {
    lane[0] = k
    const { buffer, byteOffset } = keccak256(lane, 'bytes')
    lanes[k] = new DataView(buffer, byteOffset).getBigUint64(24)
  }
  return lanes
}

/** Typed arrays wrap modulo 2^64, also below zero. */
function add(sum: Lanes, lanes: Lanes, times: number): void {
  for (let k = 0; k < LANES; k++) sum[k] = sum[k]! + BigInt(times) * lanes[k]!
}

function parse(hash: Hash): Lanes {
  return BigUint64Array.from({ length: LANES }, (_, k) => BigInt(`0x${hash.slice(50 - 16 * k, 66 - 16 * k)}`))
}
