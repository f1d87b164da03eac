/** Kinds of costly requests; each is counted apart, for each account and for each client address. */
export const LIMIT_CLASSES = [
  /** Challenges, nonces and proofs of who somebody is. */
  'signIn',
  /** Compiling and keeping a draft. */
  'create',
  /** Running, previewing, compiling and explaining without keeping anything. */
  'run',
  'publish',
  /** Bundles of Worlds. */
  'upload',
  'search',
  /** Profiles, follows, workspaces, reports. */
  'write',
  /** Messages of the Model Context Protocol, besides what their tools cost. */
  'agent',
] as const

export type LimitClass = (typeof LIMIT_CLASSES)[number]

/** Requests a minute, of one account and of one client address; 0 for as many as they like. */
export type Limits = Readonly<Record<LimitClass, number>>

/** What the limits count in, in seconds. */
export const WINDOW_SECONDS = 60
