import { readSome, sendPublic } from '#lib/platform/outbound/public-request.ts'
import { RefusedTarget, type TargetPolicy } from '#lib/platform/outbound/target.ts'

/** Milliseconds for one attempt, from the name to the end of the answer. */
export const ATTEMPT_TIMEOUT_MS = 10_000

/** Bytes of an answer that are read; a longer one is cut off, and counts by its status. */
const MAX_ANSWER_BYTES = 64 * 1024
/** Characters of an answer that its owner sees. */
const SHOWN_ANSWER = 400

/** The outcome of one attempt. */
export interface Attempt {
  /** Null without an answer. */
  readonly status: number | null
  /** Why it failed; undefined for an answer of 200 to 299. */
  readonly error: string | undefined
  /** First characters of the answer. */
  readonly answer: string
  readonly durationMs: number
}

export interface PostOptions extends TargetPolicy {
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Posts JSON to an address that any account may have named. Never throws: a refused or failed request is an outcome. */
export async function postJson(
  target: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { allowLoopback, timeoutMs = ATTEMPT_TIMEOUT_MS, signal }: PostOptions,
): Promise<Attempt> {
  const began = performance.now()
  const timeout = AbortSignal.timeout(timeoutMs)
  const ending = signal === undefined ? timeout : AbortSignal.any([timeout, signal])
  const outcome = (part: Partial<Attempt>): Attempt => ({
    status: null,
    error: undefined,
    answer: '',
    ...part,
    durationMs: Math.round(performance.now() - began),
  })
  try {
    const own = { 'content-type': 'application/json', 'user-agent': 'Weft-Webhooks/1', accept: '*/*' }
    const request = { method: 'POST', headers: { ...headers, ...own }, body } as const
    const response = await sendPublic(target, request, { allowLoopback }, ending)
    const status = response.statusCode ?? 0
    const answer = printable(await readSome(response, MAX_ANSWER_BYTES, ending))
    return outcome({ status, answer, error: errorOf(status) })
  } catch (error) {
    if (timeout.aborted) return outcome({ error: `no complete answer within ${timeoutMs / 1000} seconds` })
    return outcome({ error: reasonOf(error) })
  }
}

/** PostgreSQL has no room for NUL, and control characters are nothing to show. */
function printable(answer: Buffer): string {
  return answer
    .toString('utf8')
    .slice(0, SHOWN_ANSWER)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}

function errorOf(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400) return `status ${status}: redirects are not followed`
  return `status ${status}`
}

function reasonOf(error: unknown): string {
  if (error instanceof RefusedTarget) return error.message
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string }
  return `no answer: ${message || code || 'the connection failed'}`.slice(0, 200)
}
