import { fetchFromSite } from './site-clock.ts'

/** The server rejected the request; the message may be shown. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  /** From `Retry-After`; undefined when trying again is no use. */
  readonly retryAfterMs: number | undefined

  constructor(status: number, message: string, retryAfterMs?: number) {
    super(message)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** No response: the site is down, or the browser is offline. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/**
 * A request to this site, answered in JSON.
 *
 * @param content Sent as JSON, or as the form that it is.
 * @throws Refusal; NoAnswer, also when `signal` times out; another reason of `signal` itself.
 */
export async function ask(
  method: string,
  path: string,
  content?: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  let response: Response
  let text: string
  try {
    response = await fetchFromSite(path, {
      method,
      ...(signal && { signal }),
      ...(content instanceof FormData
        ? { body: content }
        : content !== undefined && {
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(content),
          }),
    })
    text = await response.text()
  } catch (cause) {
    if (signal?.aborted && signal.reason?.name !== 'TimeoutError') throw signal.reason
    throw new NoAnswer('The site does not answer', { cause })
  }
  if (response.ok) return parse(text)
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retryAfterMs = Number.isFinite(retryAfter) ? retryAfter * 1000 : undefined
  throw new Refusal(response.status, messageOf(text), retryAfterMs)
}

/** A GET request; null where the site has no such thing. @throws as `ask`. */
export async function askIfAny(path: string, signal?: AbortSignal): Promise<unknown> {
  try {
    return await ask('GET', path, undefined, signal)
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null
    throw error
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The message of an error body: JSON with a `message`, or plain text. Pages of a proxy have none. */
export function messageOf(text: string): string {
  const body = parse(text)
  if (body === undefined) return text.startsWith('<') ? '' : text
  if (typeof body !== 'object' || body === null || !('message' in body)) return ''
  return typeof body.message === 'string' ? body.message : ''
}
