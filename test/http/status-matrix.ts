import { appendFileSync } from 'node:fs'
import { documentedFailures, type Operation } from '../../lib/http/operation.ts'

/** Where `npm run coverage:statuses` reads what was reached; a line of JSON for each API. */
const REPORT = process.env.STATUS_MATRIX_FILE

/** Which documented answers of an API were really given, in a file that tests reach them in. */
export interface StatusMatrix {
  /** @param pair An operation and a status, as in `GET_user 404`. */
  reach(pair: string): void
  /** Documented answers that nothing reached, and reached ones that are not documented. */
  unmatched(): { readonly missing: readonly string[]; readonly undocumented: readonly string[] }
}

export function statusMatrix(api: string, operations: readonly Operation[]): StatusMatrix {
  const reached = new Set<string>()
  const documented = operations.flatMap((operation) =>
    [...Object.keys(operation.responses), ...documentedFailures(operation).keys()].map(
      (status) => `${operation.id} ${status}`,
    ),
  )
  return {
    reach: (pair) => void reached.add(pair),
    unmatched: () => {
      if (REPORT !== undefined) {
        appendFileSync(REPORT, `${JSON.stringify({ api, documented, reached: [...reached] })}\n`)
      }
      return {
        missing: documented.filter((pair) => !reached.has(pair)),
        undocumented: [...reached].filter((pair) => !documented.includes(pair)),
      }
    },
  }
}
