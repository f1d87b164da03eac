import { EndpointError } from './endpoint-error.ts'
import {
  inputOf,
  isObject,
  type Json,
  listIn,
  type Message,
  numberIn,
  objectIn,
  type Protocol,
  textIn,
} from './messages.ts'

/** Chat completions, as OpenAI, gateways and servers of local models speak them. */
export const openai: Protocol = {
  request: (base, key, { model, system, messages, tools }) => ({
    url: `${base}/chat/completions`,
    headers: key === '' ? {} : { authorization: `Bearer ${key}` },
    body: {
      model,
      stream: true,
      stream_options: { include_usage: true },
      tools: tools.map(({ name, description, schema }) => ({
        type: 'function',
        function: { name, description, parameters: schema },
      })),
      messages: [{ role: 'system', content: system }, ...messages.flatMap(wireOf)],
    },
  }),

  async read(events, onText) {
    const calls: { call: Json; name: string; json: string }[] = []
    let text = ''
    let refusal = ''
    let finish = ''
    let usage: Json = {}
    for await (const event of events) {
      if (isObject(event) && isObject(event.error)) throw EndpointError.of(undefined, event)
      // The last event has the usage and no choice.
      if (isObject(event) && isObject(event.usage)) usage = event.usage
      const [choice] = listIn(event, 'choices')
      const delta = objectIn(choice, 'delta')
      finish = textIn(choice, 'finish_reason') || finish
      const more = textIn(delta, 'content')
      text += more
      refusal += textIn(delta, 'refusal')
      if (more !== '') onText(more)
      for (const part of listIn(delta, 'tool_calls')) {
        if (!isObject(part)) continue
        const { index: _index, function: _function, ...rest } = part
        const index = numberIn(part, 'index') ?? calls.length
        const at = calls.find(({ call }) => call.index === index)
        const entry = at ?? { call: { index }, name: '', json: '' }
        if (at === undefined) calls.push(entry)
        // What a gateway adds to a call it wants back.
        entry.call = {
          ...entry.call,
          ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value)),
        }
        entry.name += textIn(part.function, 'name')
        entry.json += textIn(part.function, 'arguments')
      }
    }
    if (finish === '') throw new EndpointError('cut_off')
    const complete = calls.map(({ call: { index, ...call }, name, json }) => {
      const input = inputOf(json)
      const id = textIn(call, 'id') || `call_${index}`
      // Servers of local models refuse arguments that are no JSON.
      const wire = {
        ...call,
        id,
        type: 'function',
        function: { name, arguments: input === undefined ? '{}' : json || '{}' },
      }
      return { id, name, input, wire }
    })
    if (text === '' && refusal !== '') onText(refusal)
    return {
      message: {
        from: 'model',
        text: text || refusal,
        calls: complete.map(({ id, name, input }) => ({ id, name, input })),
        raw: {
          role: 'assistant',
          content: text || refusal,
          ...(complete.length > 0 && { tool_calls: complete.map(({ wire }) => wire) }),
        },
      },
      usage: {
        input: numberIn(usage, 'prompt_tokens') ?? 0,
        output: numberIn(usage, 'completion_tokens') ?? 0,
        cost: numberIn(usage, 'cost'),
      },
      cut:
        finish === 'length'
          ? 'length'
          : finish === 'content_filter' || refusal !== ''
            ? 'refusal'
            : undefined,
    }
  },
}

function wireOf(message: Message): readonly object[] {
  if (message.from === 'person') return [{ role: 'user', content: message.text }]
  if (message.from === 'model')
    return [isObject(message.raw) ? message.raw : { role: 'assistant', content: message.text }]
  const pictures = message.results.flatMap(({ picture }) => (picture === undefined ? [] : [picture]))
  return [
    ...message.results.map(({ id, text, isError }) => ({
      role: 'tool',
      tool_call_id: id,
      content: isError ? `Error: ${text}` : text,
    })),
    // Messages of tools have no pictures in this API.
    ...(pictures.length === 0
      ? []
      : [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'The picture of the result above, drawn by the studio.' },
              ...pictures.map((picture) => ({
                type: 'image_url',
                image_url: { url: `data:image/png;base64,${picture}` },
              })),
            ],
          },
        ]),
  ]
}
