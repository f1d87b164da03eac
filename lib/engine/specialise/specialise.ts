import { ANY } from '../ranges.ts'
import type { SpecialisedStep } from '../types.ts'
import { Algebra } from './algebra.ts'
import { closedForm } from './closed-form.ts'
import { Effort } from './effort.ts'
import { emit } from './emit.ts'
import { type Bounds, explore, TooManyTurns } from './explore.ts'
import { asCycle, asRange, asRun, type Layout } from './layout.ts'
import { type Program, readProgram } from './program.ts'
import { MAX_32, type Term, Unspecialised } from './value.ts'

/** First as much as is quick, then for loops over memory that have to be laid out in full. */
const ATTEMPTS: readonly (Bounds & { readonly effort: number })[] = [
  { nodes: 600, turns: 40, effort: 60_000 },
  { nodes: 1500, turns: 300, effort: 120_000 },
]
const MOST_ROLLED = 6
const MOST_ARGS = 512

/**
 * Translates one step of a transformation with fixed arguments to JavaScript, by executing its code with x unknown.
 * Bounded work, a few milliseconds at most for ordinary bodies.
 *
 * What comes out holds for every step of every call: it is made for `run`, has to come out the same for `range` and
 * `cycle`, and the second step of a call has to depend on nothing but what the first gave.
 *
 * @param code of the contract that carries the body, as `lib/solidity/wrap.ts` makes it.
 * @param args uint32.
 */
export function specialise(
  code: Uint8Array,
  args: readonly number[],
): SpecialisedStep | { readonly declined: string } {
  if (args.length > MOST_ARGS) return { declined: 'many arguments' }
  const program = readProgram(code)
  let declined = ''
  for (const bounds of ATTEMPTS) {
    try {
      return new Translation(program, args, bounds, new Effort(bounds.effort)).step()
    } catch (error) {
      // The depth of a nested formula is the only thing here that recurses without a count of its own.
      if (!(error instanceof Unspecialised || error instanceof RangeError)) throw error
      declined = error.message
    }
  }
  return { declined }
}

class Translation {
  readonly #program: Program
  readonly #args: readonly number[]
  readonly #bounds: Bounds
  readonly #effort: Effort
  /** Where loops begin that have too many turns to be laid out. */
  readonly #rolled = new Set<number>()

  constructor(program: Program, args: readonly number[], bounds: Bounds, effort: Effort) {
    this.#program = program
    this.#args = args
    this.#bounds = bounds
    this.#effort = effort
  }

  step(): SpecialisedStep {
    const width = this.#args.length
    const step = this.#stepIn(asRun)
    const others = [(x: Term) => asRange(x, 1), ...(width > 0 ? [(x: Term) => asCycle(x, width, 1)] : [])]
    if (others.some((layout) => this.#stepIn(layout).source !== step.source)) {
      throw new Unspecialised('the layout of the call')
    }
    this.#stepIn((x) => (width > 0 ? asCycle(x, width, 2) : asRange(x, 2)))
    return step
  }

  #stepIn(layoutFor: (x: Term) => Layout): SpecialisedStep {
    for (;;) {
      const algebra = new Algebra(this.#effort)
      const x = algebra.terms.fresh('X', [], { low: 0n, high: MAX_32 })
      const again = algebra.terms.fresh('AGAIN', [], ANY)
      const layout = layoutFor(x)
      const context = { program: this.#program, args: this.#args, layout, algebra, x, again }
      const nodes = layout.steps * this.#bounds.nodes
      try {
        const root = explore(context, { ...this.#bounds, nodes }, this.#rolled)
        return layout.steps === 1 ? { source: emit(root, x), form: closedForm(root, x) } : { source: '' }
      } catch (error) {
        if (!(error instanceof TooManyTurns) || this.#rolled.size >= MOST_ROLLED) throw error
        this.#rolled.add(error.pc)
      }
    }
  }
}
