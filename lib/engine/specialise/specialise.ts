import type { ArgumentRange, SpecialisedStep } from '../types.ts'
import { Algebra } from './algebra.ts'
import { emit } from './emit.ts'
import { type Bounds, explore, TooManyTurns } from './explore.ts'
import { WideValue, WrapperFrame } from './frame.ts'
import { type Program, readProgram } from './program.ts'
import { constant, Effort, type Term, Unspecialised } from './value.ts'

/** First as much as is quick, then for loops over memory that have to be laid out in full. */
const ATTEMPTS: readonly (Bounds & { readonly effort: number })[] = [
  { nodes: 600, turns: 40, effort: 60_000 },
  { nodes: 1500, turns: 300, effort: 120_000 },
]
const MOST_ROLLED = 6
const MOST_ARGS = 512

/**
 * Translates one step of a transformation to JavaScript, by executing its code with x unknown. Arguments are fixed, or
 * parameters of what comes out.
 * Bounded work, a few milliseconds at most for ordinary bodies.
 *
 * What comes out holds for every step of every call that the Runner makes: the code around the body has to be the frame
 * that our wrapper makes (`frame.ts`), and the body must touch nothing of it.
 *
 * @param code of the contract that carries the body, as `lib/compute/solidity/wrap.ts` makes it.
 * @param args uint32, or the bounds of a parameter.
 */
export function specialise(
  code: Uint8Array,
  args: readonly (number | ArgumentRange)[],
): SpecialisedStep | { readonly declined: string } {
  if (args.length > MOST_ARGS) return { declined: 'many arguments' }
  const program = readProgram(code)
  let declined = ''
  for (const bounds of ATTEMPTS) {
    try {
      return new Translation(program, args, bounds, new Effort(bounds.effort)).step()
    } catch (error) {
      // The depth of a nested formula is the only recursion here without an explicit limit.
      if (!(error instanceof Unspecialised || error instanceof RangeError)) throw error
      declined = error.message
    }
  }
  return { declined }
}

class Translation {
  readonly #program: Program
  readonly #args: readonly (number | ArgumentRange)[]
  readonly #bounds: Bounds
  readonly #effort: Effort
  /** Where loops begin that have too many turns to be laid out. */
  readonly #rolled = new Set<number>()

  constructor(program: Program, args: readonly (number | ArgumentRange)[], bounds: Bounds, effort: Effort) {
    this.#program = program
    this.#args = args
    this.#bounds = bounds
    this.#effort = effort
  }

  step(): SpecialisedStep {
    for (let wide = false; ; ) {
      try {
        return this.#once(wide)
      } catch (error) {
        if (error instanceof WideValue && !wide) wide = true
        else if (error instanceof TooManyTurns && this.#rolled.size < MOST_ROLLED) this.#rolled.add(error.pc)
        else throw error
      }
    }
  }

  #once(wide: boolean): SpecialisedStep {
    const program = this.#program
    const algebra = new Algebra(this.#effort, wide)
    const { x } = algebra.input
    const parameters: Term[] = []
    const args = this.#args.map((arg) => {
      if (typeof arg === 'number') return constant(arg)
      const { low, high } = arg
      const parameter = algebra.terms.fresh('ARGUMENT', [], { low: BigInt(low), high: BigInt(high) })
      parameters.push(parameter)
      return parameter
    })
    const frame = new WrapperFrame(program, algebra, args.length)
    const root = explore({ program, args, frame, algebra }, this.#bounds, this.#rolled)
    return { source: emit(root, x, parameters) }
  }
}
