import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen, stop } from './listen.ts'

/** A call of a tool, as a model makes it. */
export type ScriptedCall = readonly [name: string, input: unknown]

/** Reply of the stand-in to one request. */
export type ScriptedReply =
  | {
      readonly text?: string
      readonly calls?: readonly ScriptedCall[]
      readonly thinking?: string
      readonly stop?: 'length' | 'refusal'
      /** The stream is left open after the text, until the client goes. */
      readonly hangs?: boolean
      /** The connection ends in the middle. */
      readonly breaks?: boolean
      /** OpenAI-compatible gateways alone report one. */
      readonly cost?: number
    }
  | { readonly status: number; readonly body: unknown }

/** A request as it came. */
export interface ModelRequest {
  readonly api: 'anthropic' | 'openai'
  readonly headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: a body of an API that is read in tests
  readonly body: any
  /** Requests since the person's last words, from 0. */
  readonly turn: number
  /** Texts of results of tools since then. */
  readonly results: readonly string[]
  /** The person's last words, with the document. */
  readonly words: string
}

export interface StandIn {
  readonly origin: string
  readonly requests: readonly ModelRequest[]
  /** Decides what is answered from now on. */
  play(script: (request: ModelRequest) => ScriptedReply): void
  stop(): Promise<void>
}

/**
 * A server that speaks Anthropic's Messages API and OpenAI's chat completions, streaming, in the shapes that both document,
 * and answers by a script.
 *
 * @param port By default a free one.
 */
export async function startModelStandIn(port?: number): Promise<StandIn> {
  const requests: ModelRequest[] = []
  let script: (request: ModelRequest) => ScriptedReply = () => ({ text: 'Nothing to do.' })
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*, authorization')
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    const api =
      request.url === '/v1/messages'
        ? 'anthropic'
        : request.url === '/v1/chat/completions'
          ? 'openai'
          : undefined
    if (api === undefined || request.method !== 'POST')
      return void response.writeHead(404).end('no such path')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    const asked = {
      api,
      headers: request.headers,
      body,
      ...(api === 'anthropic' ? readAnthropic(body) : readOpenai(body)),
    } as const
    requests.push(asked)
    const reply = script(asked)
    if ('status' in reply) {
      response.writeHead(reply.status, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify(reply.body))
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const lines = (api === 'anthropic' ? anthropicEvents : openaiEvents)(reply, requests.length)
    for (const line of lines) {
      // Cut in places where no event ends.
      const half = Math.floor(line.length / 2)
      response.write(line.slice(0, half))
      response.write(line.slice(half))
      if ((reply.hangs || reply.breaks) && line.includes(LAST_OF_TEXT)) {
        if (reply.breaks) response.end()
        return
      }
    }
    response.end()
  }
  const origin = `http://127.0.0.1:${await listen(server, port)}`
  return {
    origin,
    requests,
    play(next) {
      script = next
      requests.length = 0
    },
    stop: () => stop(server),
  }
}

/** Last words of a text that the stream stops after. */
const LAST_OF_TEXT = '\u2026'

type Streamed = Exclude<ScriptedReply, { status: number }>

function textOf({ text = '', hangs, breaks }: Streamed): string {
  return hangs || breaks ? text + LAST_OF_TEXT : text
}

function pieces(text: string): string[] {
  return text.match(/.{1,9}/gs) ?? []
}

// biome-ignore lint/suspicious/noExplicitAny: see above
function readAnthropic({ messages }: any) {
  const isWords = ({ role, content }: { role: string; content: { type: string }[] }) =>
    role === 'user' && content.some(({ type }) => type === 'text')
  const at = messages.findLastIndex(isWords)
  const since = messages.slice(at + 1)
  return {
    // biome-ignore lint/suspicious/noExplicitAny: see above
    words: messages[at].content.map((each: any) => each.text).join(''),
    turn: since.filter(({ role }: { role: string }) => role === 'assistant').length,
    results: since
      .filter(({ role }: { role: string }) => role === 'user')
      // biome-ignore lint/suspicious/noExplicitAny: see above
      .flatMap(({ content }: any) => content.map((each: any) => each.content[0].text)),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: see above
function readOpenai({ messages }: any) {
  const at = messages.findLastIndex(
    ({ role, content }: { role: string; content: unknown }) => role === 'user' && typeof content === 'string',
  )
  const since = messages.slice(at + 1)
  return {
    words: messages[at].content,
    turn: since.filter(({ role }: { role: string }) => role === 'assistant').length,
    results: since
      .filter(({ role }: { role: string }) => role === 'tool')
      .map(({ content }: { content: string }) => content),
  }
}

function anthropicEvents(reply: Streamed, number: number): string[] {
  const { calls = [], thinking, stop } = reply
  const events: object[] = [
    {
      type: 'message_start',
      message: {
        id: `msg_${number}`,
        type: 'message',
        role: 'assistant',
        content: [],
        model: 'stand-in',
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: 25,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 1000,
          output_tokens: 1,
        },
      },
    },
    { type: 'ping' },
  ]
  let index = 0
  const block = (content_block: object, deltas: readonly object[]) => {
    events.push({ type: 'content_block_start', index, content_block })
    for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta })
    events.push({ type: 'content_block_stop', index })
    index += 1
  }
  if (thinking !== undefined) {
    block({ type: 'thinking', thinking: '', signature: '' }, [
      ...pieces(thinking).map((part) => ({ type: 'thinking_delta', thinking: part })),
      { type: 'signature_delta', signature: 'c2lnbmF0dXJl' },
    ])
  }
  const text = textOf(reply)
  if (text !== '')
    block(
      { type: 'text', text: '' },
      pieces(text).map((part) => ({ type: 'text_delta', text: part })),
    )
  for (const [at, [name, input]] of calls.entries()) {
    const json = typeof input === 'string' ? input : JSON.stringify(input)
    block({ type: 'tool_use', id: `toolu_${number}_${at}`, name, input: {} }, [
      { type: 'input_json_delta', partial_json: '' },
      ...pieces(json).map((part) => ({ type: 'input_json_delta', partial_json: part })),
    ])
  }
  const reason = stop === 'length' ? 'max_tokens' : (stop ?? (calls.length > 0 ? 'tool_use' : 'end_turn'))
  events.push(
    {
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: 15 },
    },
    { type: 'message_stop' },
  )
  return events.map(
    (event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`,
  )
}

function openaiEvents(reply: Streamed, number: number): string[] {
  const { calls = [], stop, cost } = reply
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id: `chatcmpl-${number}`,
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'stand-in',
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    usage: null,
  })
  const finish =
    stop === 'length'
      ? 'length'
      : stop === 'refusal'
        ? 'content_filter'
        : calls.length > 0
          ? 'tool_calls'
          : 'stop'
  const events = [
    chunk({ role: 'assistant', content: '', refusal: null }),
    ...pieces(textOf(reply)).map((part) => chunk({ content: part })),
    ...calls.flatMap(([name, input], index) => [
      chunk({
        tool_calls: [
          {
            index,
            id: `call_${number}_${index}`,
            type: 'function',
            function: { name, arguments: '' },
            extra_content: { signature: 'c2lnbmF0dXJl' },
          },
        ],
      }),
      ...pieces(typeof input === 'string' ? input : JSON.stringify(input)).map((part) =>
        chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
      ),
    ]),
    chunk({}, finish),
    {
      ...chunk({}),
      choices: [],
      usage: {
        prompt_tokens: 1025,
        completion_tokens: 15,
        total_tokens: 1040,
        ...(cost !== undefined && { cost }),
      },
    },
  ]
  return [
    ...events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`),
    ': keep-alive\r\n\r\n',
    'data: [DONE]\r\n\r\n',
  ]
}
