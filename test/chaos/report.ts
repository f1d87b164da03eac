/** What a run of faults found, and how much it did. */
export interface Report {
  /** Notes something that must never be. */
  violation(what: string): void
  /** Counts something that may be, for the summary. */
  count(what: string, by?: number): void
  /** The round that violations belong to. */
  round: number
  readonly violations: readonly { readonly round: number; readonly what: string }[]
  readonly counts: ReadonlyMap<string, number>
}

/** @param onViolation Told about each sort once a round. */
export function createReport(onViolation: (round: number, what: string) => void): Report {
  const violations: { round: number; what: string }[] = []
  const counts = new Map<string, number>()
  return {
    round: 0,
    violations,
    counts,
    violation(what) {
      const known = violations.some((each) => each.round === this.round && each.what === what)
      violations.push({ round: this.round, what })
      if (!known) onViolation(this.round, what)
    },
    count(what, by = 1) {
      counts.set(what, (counts.get(what) ?? 0) + by)
    },
  }
}
