import { describe, expect, test, vi } from 'vitest'
import type { Answer } from '#lib/features/assistant/ui/conversation/assistant.ts'
import { MAX_TURNS } from '#lib/features/assistant/ui/conversation/assistant.ts'
import { addEntry, newConnector } from '#lib/studio/document/commands/entries.ts'
import { ownPort } from '#test/support/own-port.ts'
import { bench, KEY } from './bench.ts'

const { model, store, assistant, commands, begin, run } = bench()

const LINE = [62, 64, 65, 69]
const PIECE = {
  name: 'line',
  steps: 8,
  sound: { bpm: 60, scale: 'minor', root: 2 },
  voices: [{ values: LINE, sound: { instrument: 'keys', mapping: 'notes' } }],
}

function last(): Answer {
  const answer = assistant().getState().answers.at(-1)
  if (answer === undefined) throw new Error('There is no answer')
  return answer
}

function transcript(): string {
  return last()
    .parts.map((part) => (part.kind === 'text' ? part.text : `[${part.name} ${part.state}]`))
    .join('')
}

/** An error as Anthropic's API has it. */
function said(type: string, message: string) {
  return { type: 'error', error: { type, message } }
}
/** An error as OpenAI's API has it. */
function failed(message: string, code: string) {
  return { error: { message, type: 'invalid_request_error', param: null, code } }
}

describe.each(['anthropic', 'openai'] as const)('with the API of %s', (api) => {
  test('words become a piece, in one step of undo, and the model hears what it made', async () => {
    begin({ api })
    model().play(({ turn, results }) => {
      if (turn === 0)
        return { text: 'I write it. ', thinking: 'A line.', calls: [['write_connector', PIECE]] }
      if (turn === 1)
        return {
          calls: [
            ['result', { connector: 'line', picture: true }],
            ['edit_connector', { connector: 'line', edits: [{ do: 'steps', steps: 12 }] }],
          ],
        }
      return {
        text: results.some((each) => each.includes('D4 E4 F4 A4'))
          ? 'It plays D, E, F, A.'
          : 'Something else.',
      }
    })
    await assistant().submit('Four notes in D minor')
    expect(transcript()).toBe(
      'I write it. [write_connector done][result done][edit_connector done]It plays D, E, F, A.',
    )
    expect(last().status).toBe('done')
    expect(last().usage).toMatchObject({ input: 3 * 1025, output: 45 })
    const [stream] = await run()
    expect(stream?.data).toEqual([...LINE, ...LINE, ...LINE])
    expect(commands()).toEqual(['open line', 'open line'])

    expect(store().getState().undoLabel).toBe('Assistant: Four notes in D minor')
    expect(assistant().canUndo(last())).toBe(true)
    store().undo()
    expect(store().getState().document.entries).toEqual([])
    expect(store().getState().undoLabel).toBeUndefined()
    store().redo()
    expect(store().getState().document.entries).toHaveLength(2)

    // What the API wants back unchanged, and the picture in its way.
    const body = model().requests[2]!.body
    const wire = JSON.stringify(body)
    expect(wire).toContain('c2lnbmF0dXJl')
    if (api === 'anthropic') {
      expect(body.messages[1].content[0]).toEqual({
        type: 'thinking',
        thinking: 'A line.',
        signature: 'c2lnbmF0dXJl',
      })
      expect(body.messages[4].content[0].content[1].source).toEqual({
        type: 'base64',
        media_type: 'image/png',
        data: 'iVBORw0KGgo=',
      })
    } else expect(wire).toContain('data:image/png;base64,iVBORw0KGgo=')
  })

  test('the key is in the header that the API wants, and nowhere else', async () => {
    begin({ api })
    const printed = vi.spyOn(console, 'error')
    model().play(({ turn }) =>
      turn === 0
        ? {
            calls: [
              ['read_document', {}],
              ['write_connector', PIECE],
              ['result', { connector: 'line' }],
            ],
          }
        : { text: 'Done.' },
    )
    await assistant().submit('Write a line')
    for (const { headers, body } of model().requests) {
      const { 'x-api-key': key, authorization, ...rest } = headers
      expect(api === 'anthropic' ? key : authorization).toBe(api === 'anthropic' ? KEY : `Bearer ${KEY}`)
      expect(api === 'anthropic' ? authorization : key).toBeUndefined()
      expect(headers['anthropic-dangerous-direct-browser-access']).toBe(
        api === 'anthropic' ? 'true' : undefined,
      )
      expect(rest.cookie ?? rest.referer).toBeUndefined()
      expect(JSON.stringify([rest, body])).not.toContain(KEY)
    }
    expect(JSON.stringify([assistant().getState(), store().getState(), store().history()])).not.toContain(KEY)
    expect(JSON.stringify(printed.mock.calls)).not.toContain(KEY)
    printed.mockRestore()
  })

  test('Stop ends the answer; what was changed stays, undo takes it back, and the next answer goes on', async () => {
    begin({ api })
    model().play(({ turn }) =>
      turn === 0 ? { calls: [['write_connector', PIECE]] } : { text: 'And now', hangs: true },
    )
    const answering = assistant().submit('Write a line')
    await expect.poll(transcript).toContain('And now')
    assistant().stop()
    await answering
    expect(last().status).toBe('stopped')
    expect(store().getState().document.entries).toHaveLength(2)
    model().play(() => ({ text: 'Here I am.' }))
    await assistant().submit('Go on')
    expect(last()).toMatchObject({ status: 'done' })
    const { messages } = model().requests[0]!.body
    expect(JSON.stringify(messages)).toContain('stopped this answer')
    store().undo()
    expect(store().getState().document.entries).toEqual([])
  })

  test('Retry takes back what the answer changed, and answers the same words', async () => {
    begin({ api })
    let fails = true
    model().play(({ turn }) => {
      if (turn === 0) return { calls: [['write_connector', PIECE]] }
      return fails ? { text: 'Half', breaks: true } : { text: 'Done.' }
    })
    await assistant().submit('Write a line')
    expect(last()).toMatchObject({ status: 'failed', failure: { problem: 'cut_off' } })
    fails = false
    await assistant().retry()
    expect(assistant().getState().answers).toHaveLength(1)
    expect(last()).toMatchObject({ status: 'done', words: 'Write a line' })
    expect(store().getState().document.entries).toHaveLength(2)
    expect(store().history().past).toHaveLength(1)
  })

  test('a tool that refuses tells the model why, and changes nothing', async () => {
    begin({ api })
    const wrong: readonly (readonly [string, unknown, RegExp])[] = [
      ['write_connector', { name: 'line', voices: [] }, /voices/],
      ['write_connector', { ...PIECE, name: 'uint8' }, /reserved word/],
      ['write_connector', '{"name":"line","voi', /no JSON/],
      ['write_connector', { ...PIECE, key: 'x' }, /unknown field “key”/],
      [
        'edit_connector',
        { connector: 'none', edits: [{ do: 'steps', steps: 3 }] },
        /has no connector of that name/,
      ],
      ['result', { connector: 'none' }, /has no connector/],
      ['fetch', { url: 'https://evil.example' }, /no tool of that name/],
      ['write_code', { kind: 'connector', name: 'a', source: '' }, /kind/],
    ]
    model().play(({ turn }) =>
      turn === 0 ? { calls: wrong.map(([name, input]) => [name, input] as const) } : { text: 'I see.' },
    )
    await assistant().submit('Try')
    const { results } = model().requests[1]!
    for (const [index, [, , reason]] of wrong.entries()) expect(results[index]).toMatch(reason)
    expect(store().getState().document.entries).toEqual([])
    expect(store().history().past).toEqual([])
    expect(last().status).toBe('done')
  })

  test('errors of the compiler come back with their line', async () => {
    begin({ api })
    model().play(({ turn }) =>
      turn === 0
        ? {
            calls: [
              ['write_code', { kind: 'transformation', name: 'odd', source: 'return x +;' }],
              ['write_connector', { name: 'line', voices: [{ calls: [{ name: 'odd', args: [] }] }] }],
              ['result', { connector: 'line' }],
            ],
          }
        : { text: 'I see.' },
    )
    await assistant().submit('Try')
    expect(model().requests[1]!.results[2]).toMatch(/"name":"odd","line":1/)
  })

  test.each([
    [401, said('authentication_error', 'invalid x-api-key'), 'key'],
    [401, failed('Incorrect API key provided', 'invalid_api_key'), 'key'],
    [401, said('authentication_error', 'CORS requests are not allowed for this Organization'), 'browser'],
    [400, said('invalid_request_error', 'Your credit balance is too low to access the API.'), 'credit'],
    [402, said('billing_error', 'Billing'), 'credit'],
    [429, failed('You exceeded your current quota', 'insufficient_quota'), 'credit'],
    [429, said('rate_limit_error', 'Slow down'), 'rate'],
    [529, said('overloaded_error', 'Overloaded'), 'busy'],
    [404, said('not_found_error', 'model: none'), 'model'],
    [404, failed('The model `none` does not exist', 'model_not_found'), 'model'],
    [404, { error: "model 'none' not found" }, 'model'],
    [403, '<html>forbidden</html>', 'forbidden'],
    [400, failed('too long', 'context_length_exceeded'), 'too_long'],
    [400, { error: { message: 'does not support tools' } }, 'other'],
  ])('status %i with %j is the problem %3$s', async (status, body, problem) => {
    begin({ api })
    model().play(() => ({ status, body }))
    await assistant().submit('Write a line')
    expect(last()).toMatchObject({ status: 'failed', failure: { problem } })
  })

  test('an endpoint outside the site’s setting is not asked, and one that is away is told apart', async () => {
    begin({ api, endpoint: { url: `http://localhost:${new URL(model().origin).port}` } })
    model().play(() => ({ text: 'Yes?' }))
    await assistant().submit('Write a line')
    expect(last().failure?.problem).toBe('blocked')
    expect(model().requests).toEqual([])
    const nobody = `http://127.0.0.1:${await ownPort()}`
    begin({ api, endpoint: { url: nobody }, page: { allowed: [nobody] } })
    await assistant().submit('Write a line')
    expect(last().failure).toEqual({ problem: 'no_answer', detail: nobody })
  })

  test('an answer has a bound, and says so', async () => {
    begin({ api })
    model().play(() => ({ calls: [['read_document', {}]] }))
    await assistant().submit('For ever')
    expect(model().requests).toHaveLength(MAX_TURNS)
    expect(last().status).toBe('bounded')
    model().play(() => ({ text: 'Here.' }))
    await assistant().submit('Go on')
    expect(last().status).toBe('done')
  })
})

test('an answer is one step although something was chosen meanwhile, and none with what the person changed', async () => {
  const change = () => {
    const { document } = store().getState()
    return store().edit('Mine', () => addEntry(document, { entry: newConnector('mine', 'mine', 'd') }))
  }
  model().play(({ turn }) => {
    if (turn === 0) return { calls: [['write_connector', PIECE]] }
    if (turn === 1) {
      store().select([])
      return { calls: [['edit_connector', { connector: 'line', edits: [{ do: 'steps', steps: 12 }] }]] }
    }
    return { text: 'Done.' }
  })
  await assistant().submit('Write a line')
  expect(store().history().past).toHaveLength(1)

  begin()
  model().play(({ turn }) => {
    if (turn === 0) return { calls: [['write_connector', PIECE]] }
    if (turn === 1) {
      change()
      return { calls: [['edit_connector', { connector: 'line', edits: [{ do: 'steps', steps: 12 }] }]] }
    }
    return { text: 'Done.' }
  })
  await assistant().submit('Write a line')
  expect(
    store()
      .history()
      .past.map(({ label }) => label),
  ).toEqual(['Assistant: Write a line', 'Mine', 'Assistant: Write a line'])
  // Undo would leave its first half.
  expect(assistant().canUndo(last())).toBe(false)
})

test('the other API goes on with what was said, without the calls of the first', async () => {
  let api: 'anthropic' | 'openai' = 'anthropic'
  const at = () => ({ api, url: `${model().origin}/v1`, model: 'stand-in', key: KEY, pictures: false })
  begin({ page: { endpoint: at } })
  model().play(({ turn }) =>
    turn === 0 ? { text: 'I write. ', calls: [['write_connector', PIECE]] } : { text: 'Done.' },
  )
  await assistant().submit('Write a line')
  api = 'openai'
  await assistant().submit('And now?')
  const { messages } = model().requests.find((each) => each.api === 'openai')!.body
  expect(messages.map(({ role }: { role: string }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'assistant',
    'user',
  ])
  expect(last().status).toBe('done')
})

test('costs are those that the endpoint reports', async () => {
  begin({ api: 'openai' })
  model().play(({ turn }) =>
    turn === 0 ? { calls: [['read_document', {}]], cost: 0.25 } : { text: 'Done.', cost: 0.5 },
  )
  await assistant().submit('Read')
  expect(last().usage).toEqual({ input: 2050, output: 30, cost: 0.75 })
})

test('Retry forgets the answer that it takes back', async () => {
  model().play(() => ({ text: 'The first try.' }))
  await assistant().submit('Write a line')
  model().play(() => ({ text: 'The second.' }))
  await assistant().retry()
  expect(transcript()).toBe('The second.')
  expect(JSON.stringify(model().requests[0]!.body.messages)).not.toContain('The first try.')
})

test('a new conversation knows the document alone, and ends the answer under way', async () => {
  model().play(({ turn }) =>
    turn === 0 ? { calls: [['write_connector', PIECE]] } : { text: 'A secret of before', hangs: true },
  )
  const answering = assistant().submit('Write a line')
  await expect.poll(transcript).toContain('A secret of before')
  assistant().clear()
  await answering
  expect(assistant().getState()).toEqual({ answers: [], question: undefined })
  expect(store().getState().document.entries).toHaveLength(2)
  model().play(() => ({ text: 'Done.' }))
  await assistant().submit('And now?')
  const { messages } = model().requests[0]!.body
  expect(messages.at(-1).role).toBe('user')
  expect(JSON.stringify(messages)).not.toMatch(/Write a line|A secret of before/)
  expect(JSON.stringify(messages)).toContain('line')
})

test('another address of the same API gets what was said, without what the first server added', async () => {
  let url = model().origin
  const at = () => ({ api: 'anthropic' as const, url, model: 'stand-in', key: KEY, pictures: false })
  begin({ page: { endpoint: at } })
  model().play(() => ({ text: 'I think.', thinking: 'Mine alone.' }))
  await assistant().submit('First')
  await assistant().submit('Second')
  expect(JSON.stringify(model().requests[1]!.body)).toContain('Mine alone.')
  url = `${model().origin}/v1`
  await assistant().submit('Third')
  const sent = JSON.stringify(model().requests[2]!.body)
  expect(sent).toContain('I think.')
  expect(sent).not.toContain('Mine alone.')
})
