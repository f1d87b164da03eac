/** What a driver's error says besides its message that holds no row and no value: `detail` and `where` quote both. */
const FACTS = ['code', 'severity', 'schema_name', 'table_name', 'column_name', 'constraint_name', 'routine']

/** SQLSTATE of messages that quote values: data that does not fit (22), and text in a language of its own (42601). */
const QUOTES_VALUES = /^(?:22...|42601)$/

const LONGEST_QUERY = 2_000

/**
 * An error as a log may have it: without what the database was asked with, which people may have sent in confidence.
 * Of a failed query the driver's own error stays, with the text of the query, whose values are numbered.
 *
 * @returns the error itself when neither it nor a cause of it is the database's.
 */
export function withoutValues(error: unknown): unknown {
  return clean(error, new Map())
}

/** @param known Errors under way and their copies: causes may go round in a circle. */
function clean(error: unknown, known: Map<Error, unknown>): unknown {
  if (!(error instanceof Error)) return error
  if (known.has(error)) return known.get(error)
  known.set(error, error)
  const copy = isFailedQuery(error)
    ? ofFailedQuery(error, known)
    : isOfDriver(error)
      ? ofDriver(error, error)
      : ofAny(error, known)
  known.set(error, copy)
  return copy
}

/*
 * Told by shape: bundles have copies of the classes, under short names.
 */

/** The ORM's: its message and fields hold the parameters. */
function isFailedQuery(error: Error): error is Error & { query: string } {
  return 'query' in error && typeof error.query === 'string' && 'params' in error
}

function isOfDriver(error: Error): boolean {
  return 'code' in error && 'severity' in error && 'routine' in error
}

function ofFailedQuery(error: Error & { query: string }, known: Map<Error, unknown>): Error {
  const { cause, query } = error
  if (cause instanceof Error && isOfDriver(cause)) return ofDriver(cause, error)
  const plain = like(error, `Failed query: ${query.slice(0, LONGEST_QUERY)}`, error)
  if (cause !== undefined) plain.cause = clean(cause, known)
  return plain
}

/** @param asked The error that knows where in the program the query was asked, and its text. */
function ofDriver(error: Error, asked: Error): Error {
  const fields = error as Error & Readonly<Record<string, unknown>>
  const quotes = QUOTES_VALUES.test(String(fields.code))
  const plain = like(error, quotes ? error.message.replace(/".*"/s, '"…"') : error.message, asked)
  for (const fact of FACTS) if (fields[fact] !== undefined) Object.assign(plain, { [fact]: fields[fact] })
  const query = 'query' in asked ? asked.query : fields.query
  return typeof query === 'string' ? Object.assign(plain, { query: query.slice(0, LONGEST_QUERY) }) : plain
}

function ofAny(error: Error, known: Map<Error, unknown>): Error {
  const cause = clean(error.cause, known)
  const several: unknown[] | undefined = error instanceof AggregateError ? error.errors : undefined
  const errors = several?.map((each) => clean(each, known))
  if (cause === error.cause && (errors ?? []).every((each, i) => each === several?.[i])) return error
  const copy: Error = Object.create(Object.getPrototypeOf(error), Object.getOwnPropertyDescriptors(error))
  // Copied, it would be an accessor that knows nothing of the copy.
  hide(copy, 'stack', error.stack)
  hide(copy, 'cause', cause)
  if (errors !== undefined) hide(copy, 'errors', errors)
  return copy
}

function like({ name }: Error, message: string, { stack = '', message: original }: Error): Error {
  const plain = new Error(message)
  hide(plain, 'name', name)
  // A message of several lines may look like the lines after it.
  const begin = stack.indexOf(original)
  const frames = begin < 0 ? '' : stack.slice(begin + original.length)
  hide(plain, 'stack', `${name}: ${message}${frames}`)
  return plain
}

function hide(error: Error, field: string, value: unknown): void {
  Object.defineProperty(error, field, { value, enumerable: false, configurable: true, writable: true })
}
