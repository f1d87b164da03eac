import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rpc } from '../scripts/stack/anvil.ts'
import type { Endpoints } from '../scripts/stack/stack.ts'
import { EventStreamReader, type Frame } from '../test/support/event-stream.ts'
import { type Program, startProgram } from '../test/support/program.ts'

const STREAMS = 500

let dataDir: string
let program: Program
let endpoints: Endpoints
let stream: string

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'weft-streams-'))
  program = startProgram(dataDir)
  endpoints = await program.ready()
  stream = `${endpoints.chainApi}/feed/stream`
})
afterAll(async () => {
  await program.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const isMeta = ({ event }: Frame) => event === 'stream_meta'
const seqs = (frames: readonly Frame[]) => frames.flatMap(({ id }) => id ?? [])
const ascending = (numbers: readonly number[]) => numbers.map((_, index) => (numbers[0] as number) + index)

const reorganise = (depth: number) => rpc(endpoints.chainRpc, 'anvil_reorg', [depth, []])

it(`${STREAMS} streams all hear of a reorganisation, once and in order`, async () => {
  const readers = await Promise.all(Array.from({ length: STREAMS }, () => EventStreamReader.open(stream)))
  const openings = await Promise.all(readers.map((reader) => reader.until(isMeta)))
  await reorganise(2)
  const late: number[] = []
  await Promise.all(
    readers.map(async (reader, index) => {
      const frames = await reader.until(({ data }) => data?.status === 'removed')
      late.push(Date.now() - Number(frames.at(-1)?.data?.created_at_ms))
      const numbers = seqs([...(openings[index] as Frame[]), ...frames])
      expect(numbers).toEqual(ascending(numbers))
    }),
  )
  expect(late).toHaveLength(STREAMS)
  for (const reader of readers) reader.close()
})

it('after kill -9 of the site a reader resumes with nothing lost and nothing repeated', async () => {
  const reader = await EventStreamReader.open(`${stream}?limit=2048`)
  const taken = seqs(await reader.until(isMeta))
  process.kill(program.pidOf('site'), 'SIGKILL')
  while ((await reader.next()) !== undefined);
  await rpc(endpoints.chainRpc, 'anvil_mine', ['0x4'])
  const half = taken[taken.length >> 1] as number
  const again = await reopen({ 'Last-Event-ID': String(half) })
  expect(seqs(await again.until(isMeta)).slice(0, taken.length - half)).toEqual(
    taken.filter((seq) => seq > half),
  )
  again.close()
})

it('with streams open, one of them stalled, everything stops within five seconds of SIGTERM', async () => {
  const readers = await Promise.all(Array.from({ length: STREAMS }, () => EventStreamReader.open(stream)))
  await Promise.all(readers.map((reader) => reader.until(isMeta)))
  const { hostname, port, pathname } = new URL(stream)
  const stalled = connect(Number(port), hostname).pause()
  await once(stalled, 'connect')
  stalled.write(`GET ${pathname} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const { milliseconds, code } = await program.stop('SIGTERM')
  expect(code).toBe(0)
  expect(milliseconds).toBeLessThan(5_000)
  for (const reader of readers) expect(await reader.next()).toBeUndefined()
  stalled.destroy()
})

async function reopen(headers: Readonly<Record<string, string>>): Promise<EventStreamReader> {
  for (const giveUp = Date.now() + 60_000; ; ) {
    try {
      return await EventStreamReader.open(`${stream}?limit=2048`, { headers })
    } catch (error) {
      if (Date.now() > giveUp) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
