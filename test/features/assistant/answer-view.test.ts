import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AnswerView } from '#lib/features/assistant/ui/answer-view.tsx'
import type { Answer } from '#lib/features/assistant/ui/conversation/assistant.ts'

const FRESH: Answer = {
  ...{ id: 1, words: 'A canon', parts: [], status: 'running' },
  usage: { input: 0, output: 0 },
}
const WAITS = 'The model is at work'

function markup(answer: Partial<Answer>): string {
  const props = {
    answer: { ...FRESH, ...answer },
    endpoint: undefined,
    onUndo: undefined,
    onRetry: undefined,
  }
  return renderToStaticMarkup(createElement(AnswerView, props))
}

test('an answer of which nothing grows says that the model is at work, until it ends', () => {
  const call = (state: 'running' | 'done') => ({ kind: 'call', name: 'result', state }) as const
  expect(markup({})).toContain(WAITS)
  expect(markup({ parts: [call('done')] })).toContain(WAITS)
  expect(markup({ parts: [call('running')] })).not.toContain(WAITS)
  expect(markup({ parts: [{ kind: 'text', text: 'I' }] })).not.toContain(WAITS)
  expect(markup({ status: 'stopped' })).not.toContain(WAITS)
})

test('missing tokens are said of a whole answer alone, never below an error', () => {
  const said = 'reported no tokens'
  expect(markup({ status: 'done' })).toContain(said)
  for (const status of ['failed', 'stopped', 'cut'] as const) expect(markup({ status })).not.toContain(said)
  expect(markup({ status: 'stopped', usage: { input: 1200, output: 3 } })).toContain('tokens in, 3 out')
})

test('a model’s words are text: neither links nor pictures, markup or addresses of its choice', () => {
  const text = '<img src="https://evil.example/k"> [a](https://evil.example) ![](https://evil.example)'
  const html = markup({ status: 'done', parts: [{ kind: 'text', text }] })
  expect(html).toContain('&lt;img src=')
  expect(html).not.toMatch(/<(img|a|script|iframe)\b/)
})
