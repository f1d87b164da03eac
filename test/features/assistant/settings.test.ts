import { expect, test } from 'vitest'
import { assistantSettings, parseEndpoints } from '#lib/features/assistant/settings.ts'
import { type Endpoint, keyProblem } from '#lib/features/assistant/ui/conversation/endpoint.ts'
import { readSettings } from '#lib/features/config.ts'

function endpointsOf(env: Record<string, string>): readonly string[] {
  return assistantSettings.of(readSettings(env)).endpoints
}

test('the assistant reaches hosted APIs and models on the machine by default, what is listed, or nothing', () => {
  expect(endpointsOf({})).toEqual(
    expect.arrayContaining(['https://api.anthropic.com', 'https://api.openai.com', 'http://localhost:11434']),
  )
  expect(endpointsOf({ ASSISTANT_ENDPOINTS: 'https://api.example, http://127.0.0.1:9000/' })).toEqual([
    'https://api.example',
    'http://127.0.0.1:9000',
  ])
  for (const empty of ['', '  ']) expect(endpointsOf({ ASSISTANT_ENDPOINTS: empty })).toEqual([])
})

test('the policy of a page that no configuration was checked for names the same, and nothing of an invalid one', () => {
  expect(parseEndpoints(undefined)).toEqual(endpointsOf({}))
  expect(parseEndpoints(' ')).toEqual([])
  expect(parseEndpoints('https://api.example')).toEqual(['https://api.example'])
  expect(parseEndpoints("https://api.example, 'unsafe-inline'")).toEqual([])
})

test('a stored key stays with the server that it was stored for', () => {
  const stored: Endpoint = {
    api: 'openai',
    url: 'https://api.openai.com/v1',
    model: 'm',
    key: 'sk-1',
    pictures: false,
  }
  expect(keyProblem(stored, undefined)).toBeUndefined()
  expect(keyProblem({ ...stored, url: 'https://api.openai.com/v2' }, stored)).toBeUndefined()
  for (const url of ['https://api.anthropic.com', 'http://localhost:11434/v1', 'http://api.openai.com/v1'])
    expect(keyProblem({ ...stored, url }, stored)).toContain('This key is for https://api.openai.com')
  expect(keyProblem({ ...stored, url: 'https://other.example', key: 'sk-2' }, stored)).toBeUndefined()
  expect(keyProblem({ ...stored, url: 'http://localhost:1/v1', key: '' }, stored)).toBeUndefined()
  expect(keyProblem({ ...stored, key: '' }, stored)).toBe('Write your key of that API.')
})
