import type { Budget, SpecialisedStep } from '../types.ts'
import * as words from '../words.ts'

/** The steps of one dimension compiled to one function, so that V8 inlines them. */
export interface Loop {
  /** Number of calls in a round. */
  readonly calls: number
  /**
   * Runs steps and writes their values to `out`, from `at` on.
   *
   * @param x The value before.
   * @param phase Number of the next call.
   * @returns number of steps; fewer than `count` when the next one reverts.
   * @throws BudgetExceeded from loops inside a step.
   */
  readonly fill: (
    x: number,
    out: Uint32Array,
    at: number,
    count: number,
    phase: number,
    budget: Budget,
  ) => number
}

/** Longer rounds use a table of functions: unrolled they would only compile more slowly. */
const MAX_UNROLLED = 16

/** @param steps One for each call of a round. */
export function compileLoop(steps: readonly SpecialisedStep[]): Loop {
  const sources = steps.map(({ source }) => source)
  const distinct = [...new Set(sources)]
  const nameOf = (source: string) => `f${distinct.indexOf(source)}`
  const declarations = distinct.map((source) => `const ${nameOf(source)} = ${source};`)
  const body = sources.length === 1 ? oneCall() : manyCalls(sources.map(nameOf))
  // The text holds only generated names and integer literals.
  const make = new Function('h', `"use strict";\n${declarations.join('\n')}\n${body}`) as (
    h: typeof words,
  ) => Loop['fill']
  return { calls: steps.length, fill: make(words) }
}

const HEAD = 'return function fill(x, out, at, count, phase, budget) {\nlet i = at; const end = at + count;\n'

function oneCall(): string {
  return `${HEAD}for (; i < end; i++) { x = f0(x, budget); if (x < 0) return i - at; out[i] = x }\nreturn count }`
}

function manyCalls(names: readonly string[]): string {
  const n = names.length
  const single = `x = turns[phase](x, budget); if (x < 0) return i - at; out[i++] = x; if (++phase === ${n}) phase = 0;`
  const round = names.map((name) => `x = ${name}(x, budget); if (x < 0) return i - at; out[i++] = x;`)
  const rounds =
    n > MAX_UNROLLED
      ? ''
      : `while (i < end && phase !== 0) { ${single} }
for (const last = end - ${n}; i <= last; ) {\n${round.join('\n')}\n}\n`
  return `const turns = [${names.join(', ')}];\n${HEAD}${rounds}while (i < end) { ${single} }\nreturn count }`
}

/** Compiles a single step. */
export function compileStep(source: string): (x: number, budget: Budget) => number {
  return new Function('h', `"use strict";\nreturn ${source}`)(words) as (x: number, budget: Budget) => number
}
