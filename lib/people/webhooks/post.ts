import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { parseTarget, RefusedTarget, resolveTarget, type TargetPolicy } from './target.ts'

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
    const url = parseTarget(target, { allowLoopback })
    const resolved = await resolveTarget(url, { allowLoopback }, undefined, ending)
    const response = await send(url, resolved, headers, body, ending)
    const status = response.statusCode ?? 0
    const answer = shown(await readSome(response, ending))
    return outcome({ status, answer, error: errorOf(status) })
  } catch (error) {
    if (timeout.aborted) return outcome({ error: `no complete answer within ${timeoutMs / 1000} seconds` })
    return outcome({ error: reasonOf(error) })
  }
}

function send(
  url: URL,
  resolved: { readonly address: string; readonly family: 4 | 6 },
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request: typeof httpsRequest = url.protocol === 'https:' ? httpsRequest : httpRequest
  const answer = Promise.withResolvers<IncomingMessage>()
  const bytes = Buffer.from(body)
  const sent: ClientRequest = request(url, {
    method: 'POST',
    // No connection is kept for, or shared with, another receiver.
    agent: false,
    signal,
    // The address that was checked; looked up again, the name could lead elsewhere.
    lookup: (_host, options, callback) => {
      if (options.all === true) callback(null, [resolved])
      else callback(null, resolved.address, resolved.family)
    },
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': bytes.length,
      'user-agent': 'Weft-Webhooks/1',
      accept: '*/*',
      connection: 'close',
    },
  })
  sent.once('response', answer.resolve)
  // Stays: a connection that is destroyed after its answer may fail once more.
  sent.on('error', answer.reject)
  sent.end(bytes)
  return answer.promise
}

/** Reads the beginning of an answer and ends the connection. */
async function readSome(response: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= MAX_ANSWER_BYTES) break
    }
  } finally {
    response.destroy()
  }
  signal.throwIfAborted()
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES)
}

/** PostgreSQL has no room for NUL, and control characters are nothing to show. */
function shown(answer: Buffer): string {
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
