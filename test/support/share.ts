/** `npm test` takes a share of what is slow; `npm run test:all`, and a file that is run by its name, leave nothing out. */
const isShared = process.env.TESTS === 'share'

const DAY_MS = 86_400_000

/** Which share: another one each day, or as `TESTS_SEED` says. */
const seed = Number(process.env.TESTS_SEED ?? Math.floor(Date.now() / DAY_MS))

/**
 * One in `parts` of what together takes longer than the test command may.
 *
 * @param all In an order that does not change from run to run: neighbours are in different shares.
 * @throws Error when `TESTS_SEED` is no whole number.
 */
export function shareOf<T>(all: readonly T[], parts: number): readonly T[] {
  if (!Number.isSafeInteger(seed)) throw new Error('TESTS_SEED must be a whole number')
  return isShared ? all.filter((_, index) => (index + seed) % parts === 0) : all
}
