import type { SpecialisedStep } from '../types.ts'
import { Algebra } from './algebra.ts'
import type { Context } from './block.ts'
import { emit } from './emit.ts'
import { type Bounds, explore, TooManyTurns } from './explore.ts'
import { asCycle, asRange, asRun, type Layout } from './layout.ts'
import { type Program, readProgram } from './program.ts'
import { MAX_32, MAX_WORD, type Term, Unspecialised } from './value.ts'

/** First as much as is quick, then for loops over memory that have to be laid out in full. */
const ATTEMPTS: readonly Bounds[] = [
  { nodes: 600, instructions: 12_000, turns: 40 },
  { nodes: 1500, instructions: 60_000, turns: 300 },
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
      return { source: translate(program, args, bounds) }
    } catch (error) {
      // The depth of a nested formula is the only thing here that recurses without a count of its own.
      if (!(error instanceof Unspecialised || error instanceof RangeError)) throw error
      declined = error.message
    }
  }
  return { declined }
}

function translate(program: Program, args: readonly number[], bounds: Bounds): string {
  const width = args.length
  const rolled = new Set<number>()
  const source = inLayout(program, args, bounds, rolled, asRun)
  const others = [(x: Term) => asRange(x, 1), ...(width > 0 ? [(x: Term) => asCycle(x, width, 1)] : [])]
  for (const layout of others) {
    if (inLayout(program, args, bounds, rolled, layout) !== source)
      throw new Unspecialised('the layout of the call')
  }
  const twoSteps = { ...bounds, nodes: 2 * bounds.nodes, instructions: 2 * bounds.instructions }
  const layout = (x: Term) => (width > 0 ? asCycle(x, width, 2) : asRange(x, 2))
  inLayout(program, args, twoSteps, rolled, layout)
  return source
}

/** The text for one layout. Loops found too long to unroll are added to `rolled`. */
function inLayout(
  program: Program,
  args: readonly number[],
  bounds: Bounds,
  rolled: Set<number>,
  layoutFor: (x: Term) => Layout,
): string {
  for (;;) {
    const algebra = new Algebra()
    const any = { low: 0n, high: MAX_WORD }
    const x = algebra.terms.fresh('X', [], { low: 0n, high: MAX_32 })
    const again = algebra.terms.fresh('AGAIN', [], any)
    const layout = layoutFor(x)
    const context: Context = { program, args, layout, algebra, x, again }
    try {
      const root = explore(context, bounds, rolled)
      return layout.steps === 1 ? emit(root, x) : ''
    } catch (error) {
      if (!(error instanceof TooManyTurns) || rolled.size >= MOST_ROLLED) throw error
      rolled.add(error.pc)
    }
  }
}
