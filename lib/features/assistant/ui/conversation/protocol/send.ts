import type { Endpoint } from '../endpoint.ts'
import { anthropic } from './anthropic.ts'
import { EndpointError } from './endpoint-error.ts'
import type { Prompt, Reply } from './messages.ts'
import { openai } from './openai.ts'

const PROTOCOLS = { anthropic, openai }
/** Longest reply, in UTF-16 units. */
const MAX_REPLY = 4 * 1024 * 1024
/** Longest text of an error, in UTF-16 units. */
const MAX_ERROR = 64 * 1024

/**
 * Sends a prompt from this browser to the reader's endpoint, and nowhere else.
 *
 * @param allowed Origins that the site's policy lets its page connect to.
 * @param onText Called with the text as it arrives.
 * @throws {EndpointError}, or the reason of `signal`.
 */
export async function send(
  { api, url: base, key, model }: Endpoint,
  allowed: readonly string[],
  prompt: Omit<Prompt, 'model'>,
  { signal, onText }: { readonly signal: AbortSignal; readonly onText: (text: string) => void },
): Promise<Reply> {
  const protocol = PROTOCOLS[api]
  const { url, headers, body } = protocol.request(base.replace(/\/+$/, ''), key, { ...prompt, model })
  const origin = URL.parse(url)?.origin
  if (origin === undefined || !allowed.includes(origin)) throw new EndpointError('blocked', origin)
  let hasBegun = false
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      // It would take the key along.
      redirect: 'error',
      cache: 'no-store',
    })
    hasBegun = true
    if (!response.ok) throw EndpointError.of(response.status, await bodyOf(response))
    if (response.body === null) throw new EndpointError('cut_off')
    return await protocol.read(eventsOf(response.body), onText)
  } catch (error) {
    signal.throwIfAborted()
    // A browser does not tell a page why it got nothing.
    throw error instanceof TypeError ? new EndpointError(hasBegun ? 'cut_off' : 'no_answer', origin) : error
  }
}

async function bodyOf({ body }: Response): Promise<unknown> {
  let text = ''
  if (body !== null)
    for await (const part of textOf(body)) {
      text += part
      if (text.length > MAX_ERROR) break
    }
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The JSON of each server-sent event; `[DONE]`, comments and names of events are left out. */
async function* eventsOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<unknown> {
  let rest = ''
  for await (const text of textOf(stream)) {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    yield* eventsIn(lines)
  }
  yield* eventsIn(rest.split('\r'))
}

function* eventsIn(lines: readonly string[]): Generator<unknown> {
  for (const line of lines) {
    // Both APIs write the data of an event in one line.
    const data = /^data:\s?(.*)$/s.exec(line)?.[1]
    if (data !== undefined && data !== '' && data !== '[DONE]') yield parsed(data)
  }
}

/** @throws {EndpointError} beyond `MAX_REPLY`. */
async function* textOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  let length = 0
  try {
    while (true) {
      const { done, value } = await reader.read()
      if (done) return
      length += value.length
      if (length > MAX_REPLY) throw new EndpointError('other', 'The reply is too long.')
      yield value
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    throw new EndpointError('other', 'The endpoint sent an event that is no JSON.')
  }
}
