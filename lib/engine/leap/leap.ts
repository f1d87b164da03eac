import { flipped, MATRICES } from './flips.ts'
import type { ClosedForm } from './form.ts'
import { LINES, modularStep } from './modular.ts'
import { type Family, Powers } from './powers.ts'
import { firstRevert, roundOf, shiftStep } from './shifts.ts'

/** What any number of rounds through the calls of a dimension come to, without making them. */
export interface Leap {
  /** The value that so many rounds lead to from what a round gave; no step of them reverts. */
  readonly apply: (x: number, rounds: number) => number
  /** Number of the first step that reverts, counted from what a round gave; infinite if none does. */
  readonly firstRevert: (x: number) => number
}

/** @returns undefined where the calls are not all of one family. */
export function leapOf(forms: readonly (ClosedForm | undefined)[]): Leap | undefined {
  const shifts = all(forms, 'shift')
  if (shifts !== undefined) {
    const round = roundOf(shifts)
    return { apply: (x, rounds) => x + round * rounds, firstRevert: (x) => firstRevert(shifts, x) }
  }
  const lines = all(forms, 'modular')
  if (lines?.every(({ modulus }) => modulus === lines[0]!.modulus)) return unending(LINES, lines)
  const flips = all(forms, 'flips')
  return flips && unending(MATRICES, flips)
}

/** One step by its form; -1 where it reverts. */
export function stepByForm(form: ClosedForm): (x: number) => number {
  switch (form.kind) {
    case 'shift':
      return (x) => shiftStep(form, x)
    case 'modular':
      return (x) => modularStep(form, x)
    case 'flips':
      return (x) => flipped(form, x)
  }
}

function all<K extends ClosedForm['kind']>(
  forms: readonly (ClosedForm | undefined)[],
  kind: K,
): readonly Extract<ClosedForm, { kind: K }>[] | undefined {
  const found = forms.filter((form) => form?.kind === kind)
  return found.length === forms.length ? (found as Extract<ClosedForm, { kind: K }>[]) : undefined
}

/** What a step gives is something that the next one takes: only the start may be something else. */
function unending<F>(family: Family<F>, forms: readonly F[]): Leap {
  let powers: Powers<F> | undefined
  const round = () => forms.reduce((first, second) => family.after(second, first))
  return {
    apply: (x, rounds) => {
      powers ??= new Powers(family, round())
      return powers.apply(x, rounds)
    },
    firstRevert: () => Number.POSITIVE_INFINITY,
  }
}
