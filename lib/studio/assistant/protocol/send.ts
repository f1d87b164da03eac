import type { Endpoint } from '../endpoint.ts'
import { anthropic } from './anthropic.ts'
import { EndpointError } from './endpoint-error.ts'
import type { Prompt, Reply } from './messages.ts'
import { openai } from './openai.ts'

const PROTOCOLS = { anthropic, openai }
/** Of one reply, in UTF-16 units. */
const MAX_REPLY = 4 * 1024 * 1024

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
    if (!response.ok) throw EndpointError.of(response.status, await bodyOf(response))
    if (response.body === null) throw new EndpointError('cut_off')
    return await protocol.read(eventsOf(response.body), onText)
  } catch (error) {
    signal.throwIfAborted()
    // A browser does not tell a page why it got nothing.
    throw error instanceof TypeError ? new EndpointError('no_answer', origin) : error
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The JSON of each server-sent event; `[DONE]`, comments and names of events are left out. */
async function* eventsOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<unknown> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let length = 0
  try {
    while (true) {
      const { done, value = '' } = await reader.read()
      length += value.length
      if (length > MAX_REPLY) throw new EndpointError('other', 'The reply is too long.')
      const lines = (rest + value).split(/\r\n|\n|\r(?!$)/)
      rest = done ? '' : (lines.pop() ?? '')
      for (const line of lines) {
        // Both APIs write the data of an event in one line.
        const data = /^data:\s?(.*)$/s.exec(line)?.[1]
        if (data === undefined || data === '' || data === '[DONE]') continue
        yield parsed(data)
      }
      if (done) return
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
