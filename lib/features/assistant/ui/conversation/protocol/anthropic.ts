import { EndpointError } from './endpoint-error.ts'
import {
  inputOf,
  isObject,
  type Json,
  type Message,
  numberIn,
  objectIn,
  type Protocol,
  type ToolCall,
  textIn,
} from './messages.ts'

const VERSION = '2023-06-01'
/** Tokens of one reply, thinking included. */
const MAX_TOKENS = 16_000

/** Anthropic's Messages API. */
export const anthropic: Protocol = {
  request: (base, key, { model, system, messages, tools }) => ({
    url: `${base.replace(/\/v1$/, '')}/v1/messages`,
    headers: {
      'x-api-key': key,
      'anthropic-version': VERSION,
      'anthropic-dangerous-direct-browser-access': 'true',
    },
    body: {
      model,
      max_tokens: MAX_TOKENS,
      stream: true,
      // The tools and this text are the same in every request of a conversation.
      system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
      tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
      messages: messages.map(wireOf),
    },
  }),

  async read(events, onText) {
    /** By index; `json` collects the input of a call. */
    const blocks = new Map<number, { block: Json; json: string }>()
    let stop = ''
    let usage: Json = {}
    let ended = false
    for await (const event of events) {
      const index = numberIn(event, 'index') ?? 0
      const at = blocks.get(index)
      switch (textIn(event, 'type')) {
        case 'message_start':
          usage = objectIn(objectIn(event, 'message'), 'usage')
          break
        case 'content_block_start':
          blocks.set(index, { block: objectIn(event, 'content_block'), json: '' })
          break
        case 'content_block_delta': {
          const delta = objectIn(event, 'delta')
          if (at === undefined) break
          if (delta.type === 'input_json_delta') at.json += textIn(delta, 'partial_json')
          else at.block = extended(at.block, delta)
          if (delta.type === 'text_delta') onText(textIn(delta, 'text'))
          break
        }
        case 'message_delta':
          stop = textIn(objectIn(event, 'delta'), 'stop_reason')
          // Its counts are of the whole message so far.
          usage = { ...usage, ...objectIn(event, 'usage') }
          break
        case 'message_stop':
          ended = true
          break
        case 'error':
          throw EndpointError.of(undefined, event)
      }
    }
    if (!ended) throw new EndpointError('cut_off')
    const calls: ToolCall[] = []
    const content = [...blocks.values()].map(({ block, json }) => {
      if (block.type !== 'tool_use') return block
      const input = json === '' ? (block.input ?? {}) : inputOf(json)
      calls.push({ id: textIn(block, 'id'), name: textIn(block, 'name'), input })
      return { ...block, input: isObject(input) ? input : {} }
    })
    const text = content.map((block) => (block.type === 'text' ? textIn(block, 'text') : '')).join('')
    const cached = ['cache_creation_input_tokens', 'cache_read_input_tokens']
    return {
      message: { from: 'model', text, calls, raw: content },
      usage: {
        input: ['input_tokens', ...cached].reduce((sum, name) => sum + (numberIn(usage, name) ?? 0), 0),
        output: numberIn(usage, 'output_tokens') ?? 0,
      },
      cut: stop === 'max_tokens' ? 'length' : stop === 'refusal' ? 'refusal' : undefined,
    }
  },
}

/** A block with a delta of its text, of its thinking or of its signature. */
function extended(block: Json, delta: Json): Json {
  const name = ['text', 'thinking', 'signature'].find((each) => typeof delta[each] === 'string')
  return name === undefined ? block : { ...block, [name]: textIn(block, name) + textIn(delta, name) }
}

function wireOf(message: Message): object {
  if (message.from === 'person') return { role: 'user', content: [{ type: 'text', text: message.text }] }
  // The API refuses a message without content.
  if (message.from === 'model')
    return {
      role: 'assistant',
      content:
        Array.isArray(message.raw) && message.raw.length > 0
          ? message.raw
          : [{ type: 'text', text: message.text || '…' }],
    }
  return {
    role: 'user',
    content: message.results.map(({ id, text, isError, picture }) => ({
      type: 'tool_result',
      tool_use_id: id,
      ...(isError && { is_error: true }),
      content: [
        { type: 'text', text },
        ...(picture === undefined
          ? []
          : [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } }]),
      ],
    })),
  }
}
