import { hexToBytes } from 'viem/utils'
import { callList, type Plan, type PlanNode } from '../plan.ts'
import type { ConnectorParts, RunOutcome } from '../run.ts'
import { type ArgumentRange, BudgetExceeded, type Translators } from '../types.ts'
import { type CallRows, layoutOf, type NumbersLayout } from './layout.ts'
import { compileVariedLoop, rangeFor, type VariedLoop, type VariedStep } from './varied-loop.ts'

const MAX_UINT32 = 0xffff_ffff
/** Largest index of a sequence here; what needs more runs as an ordinary connector does. */
const MAX_INDEX = 16_383
/** Steps of loops inside the steps of one variation, after which it runs as an ordinary connector does. */
const MAX_STEPS = 2_000_000

/** End of a variation's run. */
export type VariationStatus = RunOutcome['status']

/** Runs one connector with other numbers: the same tree and code with other starts, shifts, arguments, orders. */
export interface Variations {
  readonly layout: NumbersLayout
  /** Paths of the leaves, in the order of their values. */
  readonly paths: readonly string[]
  /**
   * Runs a variation by code that was translated once for all of them, and, where that is impossible, as the connector
   * that it is.
   *
   * @param numbers As `layout` has them; rows of one dimension may change places.
   * @param count Particles, 1..65536.
   * @param out Receives `count` values a leaf, if it returns.
   */
  run(numbers: Uint32Array, count: number, out: Uint32Array): VariationStatus
  /** Runs a variation as the connector that it is, translated anew. */
  runPlainly(numbers: Uint32Array, count: number, out: Uint32Array): VariationStatus
}

export interface VariationsParts {
  readonly connector: ConnectorParts
  /** With a list of nodes. */
  readonly plan: Plan
  readonly specialise: Translators['specialise']
  /** Whether every condition holds; numbers of conditions do not vary. */
  readonly conditionsHold: boolean
  readonly runPlan: (plan: Plan, count: number) => RunOutcome
}

export function createVariations(parts: VariationsParts): Variations {
  const { plan, connector, runPlan } = parts
  const layout = layoutOf(connector, plan)
  const nodes = [...plan.nodes]
  const fast = parts.conditionsHold ? new FastVariations(layout, nodes, parts.specialise) : undefined

  const runPlainly: Variations['runPlainly'] = (numbers, count, out) => {
    const outcome = runPlan(variedPlan(plan, nodes, layout, numbers), count)
    if (outcome.status === 'returned') {
      for (const [leaf, { data }] of outcome.particles.entries()) out.set(data, leaf * count)
    }
    return outcome.status
  }

  return {
    layout,
    paths: nodes.flatMap(({ path }) => path ?? []),
    run: (numbers, count, out) => fast?.run(numbers, count, out) ?? runPlainly(numbers, count, out),
    runPlainly,
  }
}

/** The plan of a variation. */
function variedPlan(
  plan: Plan,
  nodes: readonly PlanNode[],
  { rows, positions }: NumbersLayout,
  numbers: Uint32Array,
): Plan {
  const lists = rows.map(({ at, width, count, codes }) =>
    callList(
      Array.from({ length: count }, (_, index) => {
        const row = numbers.subarray(at + index * width, at + (index + 1) * width)
        const code = codes[row[0]!]!
        return { code, args: [...row.subarray(1, 1 + code.argsCount)] }
      }),
    ),
  )
  return {
    ...plan,
    start: numbers[0],
    nodes: nodes.map((node, index) => ({
      ...node,
      calls: lists[positions[index]!.rows ?? -1],
      fixed: {
        startPoint: numbers[2 * node.position]!,
        transformationShift: numbers[2 * node.position + 1]!,
      },
    })),
  }
}

/** A dimension as it is run here. */
interface FastNode {
  /** Where its start point is among the numbers. */
  readonly at: number
  readonly depth: number
  readonly isLeaf: boolean
  readonly rows: FastRows | undefined
}

/** Runs variations by translations that take the numbers as parameters. */
class FastVariations {
  readonly #nodes: readonly FastNode[]
  readonly #rows: readonly FastRows[]
  readonly #table = new Uint32Array(MAX_INDEX + 1)
  readonly #indices: Uint32Array[] = []
  /** The largest index at each depth. */
  readonly #largest: number[] = []
  readonly #budget = { steps: 0 }

  constructor(layout: NumbersLayout, nodes: readonly PlanNode[], specialise: Translators['specialise']) {
    this.#rows = layout.rows.map((rows) => new FastRows(rows, layout.own, specialise))
    this.#nodes = nodes.map(({ position, depth }, index) => ({
      at: 2 * position,
      depth,
      isLeaf: !layout.positions[index]!.isIndex,
      rows: this.#rows[layout.positions[index]!.rows ?? -1],
    }))
  }

  /** @returns undefined where a variation has to run as an ordinary connector. */
  run(numbers: Uint32Array, count: number, out: Uint32Array): VariationStatus | undefined {
    const first = numbers[0]!
    if (first + count - 1 > MAX_INDEX) return undefined
    for (const rows of this.#rows) if (!rows.fit(numbers)) return undefined
    this.#largest[0] = first + count - 1
    this.#budget.steps = MAX_STEPS
    try {
      return this.#walk(numbers, first, count, out)
    } catch (error) {
      if (error instanceof BudgetExceeded) return undefined
      throw error
    }
  }

  #walk(numbers: Uint32Array, first: number, count: number, out: Uint32Array): VariationStatus | undefined {
    let next = 0
    for (const { at, depth, isLeaf, rows } of this.#nodes) {
      const target = isLeaf ? out : this.#indicesAt(depth + 1, count)
      const to = isLeaf ? next : 0
      if (isLeaf) next += count
      const start = numbers[at]!
      if (rows === undefined) target.fill(start, to, to + count)
      else {
        const { loop, rows: size } = rows
        const shift = numbers[at + 1]!
        const largest = this.#largest[depth]!
        if (largest > MAX_INDEX || (size > 1 && shift + largest > MAX_UINT32)) return undefined
        // Straight into the target where the indices are 0, 1, 2, …
        const isDirect = depth === 0 && first === 0
        const into = isDirect ? target : this.#table
        const from = isDirect ? to : 0
        into[from] = start
        const valueCount = loop!(
          start,
          into,
          from + 1,
          from + 1 + largest,
          shift % size,
          numbers,
          rows.at,
          this.#budget,
        )
        if (valueCount < largest) return 'reverted'
        if (depth > 0) pick(into, this.#indices[depth]!, target, to, count)
        else if (!isDirect) target.set(into.subarray(first, first + count), to)
      }
      if (!isLeaf) this.#largest[depth + 1] = largestOf(target, count)
    }
    return 'returned'
  }

  #indicesAt(depth: number, count: number): Uint32Array {
    const cachedIndices = this.#indices[depth]
    if (cachedIndices !== undefined && cachedIndices.length >= count) return cachedIndices
    const indices = new Uint32Array(count)
    this.#indices[depth] = indices
    return indices
  }
}

function pick(from: Uint32Array, indices: Uint32Array, target: Uint32Array, to: number, count: number): void {
  for (let i = 0; i < count; i++) target[to + i] = from[indices[i]!]!
}

function largestOf(values: Uint32Array, count: number): number {
  let largest = 0
  for (let i = 0; i < count; i++) if (values[i]! > largest) largest = values[i]!
  return largest
}

/** The calls of a dimension, translated with their arguments as parameters. */
class FastRows {
  readonly at: number
  readonly rows: number
  /** Undefined while it is not translated, null where it cannot be. */
  loop: VariedLoop | null | undefined
  readonly #width: number
  readonly #codes: CallRows['codes']
  readonly #specialise: Translators['specialise']
  /** Ranges of the arguments of each column, for which the loop was translated. */
  #ranges: ArgumentRange[]

  constructor(
    { at, width, count, codes }: CallRows,
    own: Uint32Array,
    specialise: Translators['specialise'],
  ) {
    this.at = at
    this.rows = count
    this.#width = width
    this.#codes = codes
    this.#specialise = specialise
    this.#ranges = Array.from({ length: width }, () => ({ low: 1, high: 0xff }))
    this.fit(own)
  }

  /** Whether the loop computes these numbers, translated anew if need be. */
  fit(numbers: Uint32Array): boolean {
    const end = this.at + this.rows * this.#width
    let fits = this.loop !== undefined
    for (let row = this.at; row < end; row += this.#width) {
      const { argsCount } = this.#codes[numbers[row]!]!
      for (let column = 1; column <= argsCount; column++) {
        const range = this.#ranges[column]!
        const number = numbers[row + column]!
        if (number >= range.low && number <= range.high) continue
        this.#ranges[column] = rangeFor(number, range)
        fits = false
      }
    }
    if (!fits && this.loop !== null) this.loop = this.#translated()
    return this.loop !== null
  }

  #translated(): VariedLoop | null {
    const steps: VariedStep[] = []
    for (const { runtime, argsCount } of this.#codes) {
      const step = this.#specialise?.(hexToBytes(runtime), this.#ranges.slice(1, 1 + argsCount))
      if (step === undefined || 'declined' in step) return null
      steps.push({ ...step, parameters: argsCount })
    }
    return compileVariedLoop(steps, this.rows, this.#width)
  }
}
