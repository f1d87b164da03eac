import { documentedFailures, type Operation } from '#lib/server/http/operation.ts'

/** The documented responses of an API that were observed. */
export interface StatusMatrix {
  /** @param pair An operation and a status, as in `GET_user 404`. */
  reach(pair: string): void
  /** Documented answers that nothing reached, and reached ones that are not documented. */
  unmatched(): { readonly missing: readonly string[]; readonly undocumented: readonly string[] }
}

export function statusMatrix(operations: readonly Operation[]): StatusMatrix {
  const reached = new Set<string>()
  const documented = operations.flatMap((operation) =>
    [...Object.keys(operation.responses), ...documentedFailures(operation).keys()].map(
      (status) => `${operation.id} ${status}`,
    ),
  )
  return {
    reach: (pair) => void reached.add(pair),
    unmatched: () => ({
      missing: documented.filter((pair) => !reached.has(pair)),
      undocumented: [...reached].filter((pair) => !documented.includes(pair)),
    }),
  }
}
