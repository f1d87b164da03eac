import type postgres from 'postgres'
import type { Tracing } from './tracing.ts'

/** What the driver's queries are made of, as of 3.4.9; its own types do not say. */
interface DriverQuery {
  executed: boolean
  readonly strings: readonly string[]
  readonly statement: { readonly string?: string } | null
  resolve(result: unknown): void
  reject(error: unknown): void
  handle(): unknown
}

const LONGEST_TEXT = 2_000

/** On what queries are made of once they are followed: they tell whoever is listening, and once is enough. */
const FOLLOWED = Symbol.for('weft.queries-followed')

/**
 * Makes a span of every statement that is part of a trace, whatever sends it: with the text as it is prepared, never
 * with its values. The driver has a hook for the beginning of a statement, and none for its end.
 *
 * @param sql Any of the driver's: all that were made by the same copy of it are followed.
 */
export function traceQueries(sql: postgres.Sql): void {
  // Never sent: a query connects when somebody waits for it.
  const driver = Object.getPrototypeOf(sql`select 1`) as DriverQuery & { [FOLLOWED]?: true }
  if (driver[FOLLOWED] === true) return
  if (typeof driver.handle !== 'function') throw new Error('the database driver is another one than expected')
  driver[FOLLOWED] = true
  const { handle } = driver
  driver.handle = function (this: DriverQuery) {
    const tracing = globalThis.weftTracing
    if (!this.executed && tracing !== undefined) followQuery(this, tracing)
    return handle.call(this)
  }
}

function followQuery(query: DriverQuery, tracing: Tracing): void {
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
