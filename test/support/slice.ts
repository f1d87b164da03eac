/**
 * How many times the usual number of drawn cases, rounds and histories a run takes; above 1 it takes all cases of a list.
 * `npm run test:long` sets it.
 */
export const TIMES = numberOf('TESTS_TIMES', 1)

/** Draws the cases; the same for every run, so that the same commit has the same result. `TESTS_SEED=7` draws others. */
export const SEED = numberOf('TESTS_SEED', 20_261)

/** A number of drawn cases, rounds or histories. @param usual In a run of `npm test`. */
export function drawn(usual: number): number {
  return Math.ceil(usual * TIMES)
}

/**
 * A part of a list of cases that together take longer than they guard: every `one in so many`, from a place that the seed
 * chooses, and what is fixed. A long run takes them all.
 *
 * @param fixed Taken by every run.
 */
export function sliceOf<T>(cases: readonly T[], oneIn: number, fixed: readonly T[] = []): readonly T[] {
  if (TIMES > 1) return cases
  return cases.filter((each, index) => fixed.includes(each) || (index + SEED) % oneIn === 0)
}

/** Prints what repeats a run. */
export function printSeed(): void {
  console.log(`Drawn cases: TESTS_SEED=${SEED} TESTS_TIMES=${TIMES}`)
}

function numberOf(name: string, standard: number): number {
  const value = Number(process.env[name] ?? standard)
  if (!(value > 0)) throw new Error(`${name} must be a number above 0`)
  return value
}
