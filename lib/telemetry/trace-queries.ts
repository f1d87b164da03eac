import postgres from 'postgres'
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

declare global {
  // The driver is one for the process; its queries are followed once, and tell whoever is listening.
  var weftQueriesTraced: boolean | undefined
}

/**
 * Makes a span of every statement that is part of a trace, whatever sends it: with the text as it is prepared, never
 * with its values. The driver has a hook for the beginning of a statement, and none for its end.
 */
export function traceQueries(first: Tracing): void {
  if (globalThis.weftQueriesTraced === true) return
  globalThis.weftQueriesTraced = true
  // Connects nothing.
  const sql = postgres({ host: '127.0.0.1', max: 1 })
  const driver = Object.getPrototypeOf(sql`select 1`) as DriverQuery
  if (typeof driver.handle !== 'function') throw new Error('the database driver is another one than expected')
  const { handle } = driver
  driver.handle = function (this: DriverQuery) {
    if (!this.executed) followQuery(this, globalThis.weftTracing ?? first)
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
