import type { Database } from '../db/client.ts'

/** However many ask, what stands behind an answer is asked once in this time. */
const FRESH_MS = 1_000

/**
 * Shares one answer among everybody who asks within a second, so that a public page cannot be used to keep the
 * database busy. Answers are kept for each database apart.
 */
export const rememberBriefly = <Services extends { readonly db: Database }, T>(
  read: (services: Services) => Promise<T>,
): ((services: Services) => Promise<T>) => {
  const answers = new WeakMap<Database, { readonly untilMs: number; readonly answer: Promise<T> }>()
  return (services) => {
    const known = answers.get(services.db)
    if (known && performance.now() < known.untilMs) return known.answer
    const answer = read(services)
    answers.set(services.db, { untilMs: performance.now() + FRESH_MS, answer })
    return answer
  }
}
