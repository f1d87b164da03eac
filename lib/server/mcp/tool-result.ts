import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ApiResponse } from '../http/response.ts'

/** Characters; longer results do not help a conversation. */
const MAX_RESULT = 256 * 1024

/** The field of `_meta` with the status, the message and the details of a failure. */
export const FAILURE_META = 'weft/failure'

/** Maps a response of the API to a tool result. Failures are results too, with advice, so that the agent reads them. */
export async function toolResult({ status, headers, body }: ApiResponse): Promise<CallToolResult> {
  const type = headers.get('content-type') ?? ''
  if (body instanceof Uint8Array && type !== 'application/json') return fileResult(headers, type, body)
  const size = body instanceof Uint8Array ? body.byteLength : 0
  const text = size > MAX_RESULT ? '' : await textOf(body)
  if (status >= 400) {
    const problem = parse(text)
    const advice = [
      adviceFor(status),
      retryAdvice(headers.get('retry-after')),
      requestAdvice(status, headers),
    ]
    const message = [
      messageOf(problem) ?? 'The request failed',
      ...advice.filter((each) => each !== ''),
    ].join('. ')
    return failed(status, message, problem)
  }
  if (Math.max(size, text.length) > MAX_RESULT) {
    return failed(
      413,
      `The answer has ${Math.max(size, text.length)} characters, too many for a tool. Ask for fewer particles or entries, or fetch it ` +
        'from the chain API itself',
    )
  }
  const value = parse(text)
  return { content: [{ type: 'text', text }], structuredContent: structured(value) }
}

/** A file as an embedded resource. Its operation bounds its size. */
function fileResult(headers: ApiResponse['headers'], mimeType: string, file: Uint8Array): CallToolResult {
  const [, name = 'file'] = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '') ?? []
  const blob = Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString('base64')
  return {
    content: [
      { type: 'text', text: `${name}: ${file.byteLength} bytes of ${mimeType}` },
      { type: 'resource', resource: { uri: `file:///${name}`, mimeType, blob } },
    ],
  }
}

/** An answer as structured content, which is an object before the revision of 2026-07-28: a list is its `result`. */
function structured(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : { result: value }
}

/**
 * A failure, as text. Its fields are beside the content, because clients hold structured content against the schema of
 * answers, also that of a failure.
 *
 * @param details Further fields that a client can act on, for instance `missing`.
 */
export function failed(status: number, message: string, details?: unknown): CallToolResult {
  const facts = isObject(details) ? details : {}
  const more = Object.entries(facts).filter(([key]) => key !== 'message')
  const text = [`${status}: ${message}.`, ...more.map(([key, value]) => `${key}: ${JSON.stringify(value)}`)]
  return {
    isError: true,
    content: [{ type: 'text', text: text.join('\n').replace(/\.\.(\n|$)/, '.$1') }],
    _meta: { [FAILURE_META]: { ...facts, status, message } },
  }
}

function adviceFor(status: number): string {
  if (status !== 401) return ''
  return 'With these tools: get_nonce, sign `Login nonce: <nonce>` with the key of the account, log_in, and pass its access_token'
}

function retryAdvice(seconds: string | undefined): string {
  return seconds === undefined ? '' : `Try again after ${seconds} s`
}

function requestAdvice(status: number, headers: ApiResponse['headers']): string {
  return status === 500 ? `This request is ${headers.get('x-request-id')}` : ''
}

async function textOf(body: ApiResponse['body']): Promise<string> {
  if (body === null) return ''
  return typeof body === 'string' ? body : new Response(body).text()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function messageOf(value: unknown): string | undefined {
  return isObject(value) && typeof value.message === 'string' ? value.message : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
