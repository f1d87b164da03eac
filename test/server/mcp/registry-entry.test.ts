import { expect, test } from 'vitest'
import { registryEntry } from '#lib/server/mcp/registry-entry.ts'
import { chainDocument } from '#lib/server/operations/chain/document.ts'
import { chainOperations } from '#lib/server/operations/chain/index.ts'

test('server.json has what the registry of 2025-12-11 demands, in the version of the document', () => {
  const entry = registryEntry('https://studio.weft.example')
  expect(entry.$schema).toBe('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json')
  expect(entry.name).toBe('example.weft.studio/weft')
  expect(entry.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  expect(entry.description.length).toBeLessThanOrEqual(100)
  expect(entry.version).toBe(chainDocument(chainOperations).info.version)
  expect(entry.remotes).toEqual([{ type: 'streamable-http', url: 'https://studio.weft.example/mcp' }])
})

test.each([
  '',
  'http://weft.example',
  'https://localhost',
  'https://127.0.0.1',
  'https://weft.example/',
  'https://[::1]',
])('no entry for %s', (origin) => {
  expect(() => registryEntry(origin)).toThrow('https://weft.example')
})
