/** The API refused a request. */
export class WeftError extends Error {
  override readonly name = 'WeftError'
  readonly status: number
  /** A value of the page about error codes, where the API sent one. */
  readonly code: string | undefined

  constructor(status: number, message: string, code?: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** A response of a client of this package. */
interface Answer<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/**
 * Returns the data of a response.
 *
 * @throws WeftError for a refusal; what `fetch` throws where there is no response.
 * @example
 * const particles = await orThrow(chain.POST('/simulate', { body: { connector_name: 'pitch', particles_count: 12 } }))
 */
export async function orThrow<Data>(answer: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await answer
  if (!response.ok || error !== undefined) throw refusalOf(error, response)
  return data as Data
}

/** The error of a response: the chain API sends a sentence, the services API at most plain text. */
export function refusalOf(error: unknown, { status, statusText, headers }: Response): WeftError {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error
  const sentence = typeof message === 'string' && message !== '' ? message : statusText || `status ${status}`
  return new WeftError(status, sentence, headers.get('x-error-code') ?? undefined)
}
