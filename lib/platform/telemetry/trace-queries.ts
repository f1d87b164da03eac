import type postgres from 'postgres'
import type { Tracing } from './tracing.ts'

/** Internals of the driver's queries, as of 3.4.9, which its types lack. */
interface DriverQuery {
  executed: boolean
  readonly strings: readonly string[]
  readonly statement: { readonly string?: string } | null
  resolve(result: unknown): void
  reject(error: unknown): void
  handle(): unknown
}

const LONGEST_TEXT = 2_000

/** Marks a patched prototype. */
const PATCHED = Symbol.for('weft.queries-followed')

/**
 * Creates a span for every statement within a trace, with its text but never its parameters. Patches the driver, which
 * has a hook for the start of a statement but none for its end.
 *
 * @param sql Any client: all clients of the same copy of the driver are traced.
 */
export function traceQueries(sql: postgres.Sql): void {
  // Never sent: a query is sent when it is awaited.
  const driver = Object.getPrototypeOf(sql`select 1`) as DriverQuery & { [PATCHED]?: true }
  if (driver[PATCHED] === true) return
  if (typeof driver.handle !== 'function') throw new Error('the database driver is another one than expected')
  driver[PATCHED] = true
  const { handle } = driver
  driver.handle = function (this: DriverQuery) {
    const tracing = globalThis.weftTracing
    if (!this.executed && tracing !== undefined) traceQuery(this, tracing)
    return handle.call(this)
  }
}

function traceQuery(query: DriverQuery, tracing: Tracing): void {
  const span = tracing.begin({ name: 'sql', kind: 'client', attributes: { 'db.system.name': 'postgresql' } })
  if (span === undefined) return
  const { resolve, reject } = query
  const end = () => {
    const text = (query.statement?.string ?? query.strings.join('?')).replaceAll(/\s+/g, ' ').trim()
    span.rename(`sql ${text.split(' ', 1)[0]?.toLowerCase()}`)
    span.set({ 'db.query.text': text.slice(0, LONGEST_TEXT) })
    span.end()
  }
  query.resolve = (result) => {
    end()
    resolve(result)
  }
  query.reject = (error) => {
    span.fail(error)
    end()
    reject(error)
  }
}
