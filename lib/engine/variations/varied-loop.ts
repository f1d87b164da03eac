import type { ArgumentRange, Budget, SpecialisedStep } from '../types.ts'
import * as words from '../words.ts'

/**
 * The steps of one dimension compiled to one function that reads calls and arguments from numbers.
 *
 * @param x The value before the first step.
 * @param at Where in `out` its first value goes; `end` is after its last.
 * @param phase Row of the first call.
 * @param row Where in `numbers` the rows begin.
 * @returns how many values were written; fewer than asked when the next step reverts.
 * @throws BudgetExceeded from loops inside a step.
 */
export type VariedLoop = (
  x: number,
  out: Uint32Array,
  at: number,
  end: number,
  phase: number,
  numbers: Uint32Array,
  row: number,
  budget: Budget,
) => number

/** A transformation with its arguments as parameters. */
export interface VariedStep extends SpecialisedStep {
  readonly parameters: number
}

/** @param steps By the number that a row has for its code. */
export function compileVariedLoop(steps: readonly VariedStep[], rows: number, width: number): VariedLoop {
  const declarations = steps.map(({ source }, index) => `const f${index} = ${source};`)
  const body = rows === 1 ? oneRow(steps[0]!) : manyRows(steps, rows, width)
  // The text holds only generated names and integer literals.
  const make = new Function(
    'h',
    `"use strict";
${declarations.join('\n')}
return function fill(x, out, at, end, phase, p, row, budget) {
let i = at;
${body}
return end - at }`,
  ) as (h: typeof words) => VariedLoop
  return make(words)
}

function oneRow({ parameters }: VariedStep): string {
  const names = Array.from({ length: parameters }, (_, index) => `a${index}`)
  const read = names.map((name, index) => `const ${name} = p[row + ${index + 1}];`).join('\n')
  const call = `f0(${['x', 'budget', ...names].join(', ')})`
  return `${read}\nfor (; i < end; i++) { x = ${call}; if (x < 0) return i - at; out[i] = x }`
}

function manyRows(steps: readonly VariedStep[], rows: number, width: number): string {
  const calls = steps.map(({ parameters }, index) => {
    const args = Array.from({ length: parameters }, (_, place) => `p[c + ${place + 1}]`)
    return `x = f${index}(${['x', 'budget', ...args].join(', ')})`
  })
  const step =
    calls.length === 1
      ? `${calls[0]};`
      : `switch (p[c]) { ${calls.map((call, index) => `case ${index}: ${call}; break;`).join(' ')} }`
  return `const last = row + ${rows * width};
for (let c = row + phase * ${width}; i < end; i++) {
${step}
if (x < 0) return i - at; out[i] = x;
c += ${width}; if (c === last) c = row;
}`
}

/** Bounds for which code is translated: few, so that most numbers near the present ones share a translation. */
const HIGHEST = [0xff, 0xffff, 0xf_ffff, 0xffff_ffff] as const

/** The narrowest bounds for a number that hold `wide` too. */
export function rangeFor(number: number, wide: ArgumentRange): ArgumentRange {
  const high = HIGHEST.find((one) => one >= number)!
  return { low: Math.min(wide.low, number === 0 ? 0 : 1), high: Math.max(wide.high, high) }
}
