import { isObject, objectIn, textIn } from './messages.ts'

/**
 * - `blocked`: this site lets its pages connect to other endpoints only.
 * - `cut_off`: the stream ended before the reply did.
 * - `no_answer`: nothing answers, or it takes no requests of pages of this site.
 */
export type EndpointProblem =
  | 'key'
  | 'credit'
  | 'forbidden'
  | 'browser'
  | 'model'
  | 'rate'
  | 'busy'
  | 'too_long'
  | 'blocked'
  | 'no_answer'
  | 'cut_off'
  | 'other'

/** Failure of the endpoint of a model. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError'
  readonly problem: EndpointProblem

  /** @param detail The endpoint's own text, without markup; for `blocked` and `no_answer` its origin. */
  constructor(problem: EndpointProblem, detail = '') {
    super(detail)
    this.problem = problem
  }

  /** @param status Undefined for an error within a stream. @param body JSON, or text. */
  static of(status: number | undefined, body: unknown): EndpointError {
    const { type, code, words } = partsOf(body)
    return new EndpointError(problemOf(status, `${type} ${code}`, words), words.slice(0, MAX_WORDS))
  }
}

const MAX_WORDS = 300

/** `{type: 'error', error: {type, message}}` of one API, `{error: {message, type, code}}` of the other. */
function partsOf(body: unknown): { readonly type: string; readonly code: string; readonly words: string } {
  const error = objectIn(body, 'error')
  const plain = typeof body === 'string' && !body.trimStart().startsWith('<') ? body : ''
  const words = textIn(error, 'message') || textIn(body, 'error') || textIn(body, 'message') || plain
  const code = isObject(error) && typeof error.code === 'number' ? String(error.code) : textIn(error, 'code')
  return { type: textIn(error, 'type'), code, words }
}

function problemOf(status: number | undefined, names: string, words: string): EndpointProblem {
  const has = (...parts: readonly string[]) => parts.some((part) => names.includes(part))
  if (/^CORS requests are not allowed/i.test(words)) return 'browser'
  if (
    status === 402 ||
    has('insufficient_quota', 'billing') ||
    /credit balance|insufficient credit/i.test(words)
  )
    return 'credit'
  if (status === 401 || has('authentication_error', 'invalid_api_key')) return 'key'
  if (has('model_not_found') || (status === 404 && /model/i.test(words))) return 'model'
  if (status === 403 || has('permission_error')) return 'forbidden'
  if (
    status === 413 ||
    has('context_length', 'request_too_large') ||
    /too long|context (length|window)/i.test(words)
  )
    return 'too_long'
  if (status === 429 || has('rate_limit')) return 'rate'
  if ((status ?? 0) >= 500 || has('overloaded', 'api_error', 'server_error', 'timeout')) return 'busy'
  return 'other'
}
