import type { EmbeddedResource } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { arrange } from '#lib/engine/sound/arrangement.ts'
import { writeMidi } from '#lib/engine/sound/midi-file.ts'
import { createMcpEndpoint } from '#lib/server/mcp/endpoint.ts'
import { devAccount } from '#test/support/chain.ts'
import { startTestStack, type TestStack } from '#test/support/stack.ts'
import { type Agent, connectAgent } from './connect.ts'

let stack: TestStack
const agents: Agent[] = []

beforeAll(async () => {
  stack = await startTestStack()
  const endpoint = createMcpEndpoint({ services: async () => stack.services, validateResponses: true })
  const fetch: typeof globalThis.fetch = (input, init) => endpoint(new Request(input, init))
  const token = await stack.token(devAccount(6).address)
  for (const mode of ['legacy' as const, { pin: '2026-07-28' }]) {
    agents.push(await connectAgent('http://localhost:3000/mcp', { fetch, token, mode }))
  }
  const [agent] = agents as [Agent]
  await agent.call('create_transformation', { name: 'whole_tone', sol_src: 'return x + 2;' })
  await agent.call('create_connector', {
    name: 'rise',
    dimensions: [{ transformations: [{ name: 'whole_tone' }] }],
    static_ri: { '1': { start_point: 60, transformation_shift: 0 } },
  })
})
afterAll(async () => {
  for (const { client } of agents) await client.close()
  await stack?.close()
})

const RISE = { connector_name: 'rise', particles_count: 8 }

test('a run is a file of the same bytes as in the studio, as an embedded resource', async () => {
  const values = [60, 62, 64, 66, 68, 70, 72, 74]
  const expected = writeMidi(arrange([{ path: '/rise:0', data: values }], { bpm: 140, stepsPerBeat: 2 }))
  for (const { client } of agents) {
    const { tools } = await client.listTools()
    const tool = tools.find(({ name }) => name === 'export_midi')
    expect(tool).toMatchObject({ annotations: { readOnlyHint: true } })
    expect(tool?.outputSchema).toBeUndefined()
    const result = await client.callTool({
      name: 'export_midi',
      arguments: { ...RISE, bpm: 140, steps_per_beat: 2 },
    })
    expect(result.isError, JSON.stringify(result.content)).not.toBe(true)
    const [text, file] = result.content as [{ text: string }, EmbeddedResource]
    expect(text.text).toBe(`rise.mid: ${expected.byteLength} bytes of audio/midi`)
    expect(file).toMatchObject({
      type: 'resource',
      resource: { uri: 'file:///rise.mid', mimeType: 'audio/midi' },
    })
    const { blob } = file.resource as { blob: string }
    expect(Buffer.from(blob, 'base64')).toEqual(Buffer.from(expected))
  }
})

test.each([
  [
    'more steps than a file holds',
    { particles_count: 16_385 },
    400,
    'at most 16384: ask for fewer particles',
  ],
  ['a tempo that is none', { bpm: 1000 }, 400, 'bpm'],
  ['a scale that is none', { scale: 'loud' }, 400, 'scale'],
  ['an unknown connector', { connector_name: 'nobody' }, 404, 'Connector not found'],
])('%s is refused with a sentence', async (_, change, status, sentence) => {
  const [agent] = agents as [Agent]
  const answer = await agent.call('export_midi', { ...RISE, ...change })
  expect(answer.structured).toMatchObject({ status, message: expect.stringContaining(sentence) })
})

test('the longest file is small enough for a conversation', async () => {
  const [agent] = agents as [Agent]
  const { content } = await agent.client.callTool({
    name: 'export_midi',
    arguments: { ...RISE, particles_count: 16_384 },
  })
  expect(JSON.stringify(content).length).toBeLessThan(256 * 1024)
})
