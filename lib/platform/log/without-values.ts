/** Fields of a driver's error without row data; `detail` and `where` quote rows and values. */
const FACTS = ['code', 'severity', 'schema_name', 'table_name', 'column_name', 'constraint_name', 'routine']

/** SQLSTATE of messages that quote values: data exceptions (22) and syntax errors (42601). */
const QUOTES_VALUES = /^(?:22...|42601)$/

const LONGEST_QUERY = 2_000

/**
 * Removes query parameters from an error, because they may be confidential. The driver's error and the text of the query
 * with its placeholders stay.
 *
 * @returns the same error when neither it nor a cause comes from the database.
 */
export function withoutValues(error: unknown): unknown {
  return clean(error, new Map())
}

/** @param copies Visited errors and their copies, because causes may be cyclic. */
function clean(error: unknown, copies: Map<Error, unknown>): unknown {
  if (!(error instanceof Error)) return error
  if (copies.has(error)) return copies.get(error)
  copies.set(error, error)
  const copy = isFailedQuery(error)
    ? ofFailedQuery(error, copies)
    : isOfDriver(error)
      ? ofDriver(error, error)
      : ofAny(error, copies)
  copies.set(error, copy)
  return copy
}

// By shape, not by class: bundles contain minified copies of the classes.

/** Whether an error is the driver's or the ORM's, for a statement. */
export function isOfDatabase(error: Error): boolean {
  return isFailedQuery(error) || isOfDriver(error)
}

/** An error of the ORM, whose message and fields contain the parameters. */
function isFailedQuery(error: Error): error is Error & { query: string } {
  return 'query' in error && typeof error.query === 'string' && 'params' in error
}

function isOfDriver(error: Error): boolean {
  return 'code' in error && 'severity' in error && 'routine' in error
}

function ofFailedQuery(error: Error & { query: string }, copies: Map<Error, unknown>): Error {
  const { cause, query } = error
  if (cause instanceof Error && isOfDriver(cause)) return ofDriver(cause, error)
  const plain = like(error, `Failed query: ${query.slice(0, LONGEST_QUERY)}`, error)
  if (cause !== undefined) plain.cause = clean(cause, copies)
  return plain
}

/** @param source Error with the stack of the caller and the text of the query. */
function ofDriver(error: Error, source: Error): Error {
  const fields = error as Error & Readonly<Record<string, unknown>>
  const quotes = QUOTES_VALUES.test(String(fields.code))
  const plain = like(error, quotes ? error.message.replace(/".*"/s, '"…"') : error.message, source)
  for (const fact of FACTS) if (fields[fact] !== undefined) Object.assign(plain, { [fact]: fields[fact] })
  const query = 'query' in source ? source.query : fields.query
  return typeof query === 'string' ? Object.assign(plain, { query: query.slice(0, LONGEST_QUERY) }) : plain
}

function ofAny(error: Error, copies: Map<Error, unknown>): Error {
  const cause = clean(error.cause, copies)
  const several: unknown[] | undefined = error instanceof AggregateError ? error.errors : undefined
  const errors = several?.map((each) => clean(each, copies))
  if (cause === error.cause && (errors ?? []).every((each, i) => each === several?.[i])) return error
  const copy: Error = Object.create(Object.getPrototypeOf(error), Object.getOwnPropertyDescriptors(error))
  // Copied descriptors would retain accessors of the original.
  hide(copy, 'stack', error.stack)
  hide(copy, 'cause', cause)
  if (errors !== undefined) hide(copy, 'errors', errors)
  return copy
}

function like({ name }: Error, message: string, { stack = '', message: original }: Error): Error {
  const plain = new Error(message)
  hide(plain, 'name', name)
  // A multi-line message may resemble stack frames.
  const begin = stack.indexOf(original)
  const frames = begin < 0 ? '' : stack.slice(begin + original.length)
  hide(plain, 'stack', `${name}: ${message}${frames}`)
  return plain
}

function hide(error: Error, field: string, value: unknown): void {
  Object.defineProperty(error, field, { value, enumerable: false, configurable: true, writable: true })
}
