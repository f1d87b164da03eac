/**
 * The rate limits and their defaults, in requests a minute: one for each kind of costly request, counted apart for each
 * account and each client address, over all sites of the same database. `RATE_SIGN_IN`, `RATE_CREATE` and so on set
 * them (`lib/platform/settings-limits.ts`); `docs/site/self-hosting/limits.md` explains them to operators.
 */
export const RATE_LIMITS = {
  /** Challenges, nonces and signatures. */
  signIn: 300,
  /** Compiling and storing drafts. */
  create: 2000,
  /** Simulating, executing, previewing, compiling and explaining: nothing is stored. */
  run: 1200,
  /** Preparing, sending and confirming publications, and plans. */
  publish: 3000,
  /** Bundles of Worlds: uploads, checks, previews. */
  upload: 600,
  /** Searches and suggestions. */
  search: 600,
  /** Profiles, follows, likes, plays, workspaces, reports. */
  write: 1200,
  /** Messages of the Model Context Protocol, besides what their tools count as. */
  agent: 600,
} as const

export type LimitClass = keyof typeof RATE_LIMITS

/** Requests per window and key; 0 disables the limit. */
export type RateLimits = Readonly<Record<LimitClass, number>>

export const WINDOW_SECONDS = 60

/** The same rate for every class. */
export function rateLimits(rate: number): RateLimits {
  return Object.fromEntries(Object.keys(RATE_LIMITS).map((each) => [each, rate])) as RateLimits
}
