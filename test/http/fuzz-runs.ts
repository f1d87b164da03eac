/*
 * Number of generated requests, and their seed: `npm run test:fuzz` for `FUZZ_RUNS` in each area, and `FUZZ_SEED` to
 * repeat a run.
 */

const SEED = Number(process.env.FUZZ_SEED ?? 20_260)

/** Long runs are bounded by count, not by time; hanging requests by their timeout. */
export const FUZZ_TIMEOUT_MS = process.env.FUZZ_RUNS === undefined ? 300_000 : 3_600_000

/**
 * Requests of one area.
 *
 * @param standard As many as the test command makes.
 * @param cost How many ordinary requests one of these takes as long as.
 */
export function fuzzRuns(standard: number, cost = 1): number {
  const asked = process.env.FUZZ_RUNS
  return asked === undefined ? standard : Math.ceil(Number(asked) / cost)
}

/** What a property is held with. */
export function fuzzParameters(runs: number) {
  return { seed: SEED, numRuns: Math.ceil(runs), interruptAfterTimeLimit: FUZZ_TIMEOUT_MS - 60_000 }
}
