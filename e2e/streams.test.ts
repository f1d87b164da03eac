import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rpc } from '../scripts/stack/anvil.ts'
import type { Endpoints } from '../scripts/stack/stack.ts'
import { EventStreamReader, type Frame } from '../test/support/event-stream.ts'
import { type OwnProgram, type Program, startOwnProgram } from '../test/support/program.ts'

const STREAMS = 200

let own: OwnProgram
let program: Program
let endpoints: Endpoints
let stream: string

beforeAll(async () => {
  own = await startOwnProgram()
  ;({ program, endpoints } = own)
  stream = `${endpoints.chainApi}/feed/stream`
})
afterAll(() => own?.close())

function isMeta({ event }: Frame) {
  return event === 'stream_meta'
}
function seqs(frames: readonly Frame[]) {
  return frames.flatMap(({ id }) => id ?? [])
}
function ascending(numbers: readonly number[]) {
  return numbers.map((_, index) => (numbers[0] as number) + index)
}

function reorganise(depth: number) {
  return rpc(endpoints.chainRpc, 'anvil_reorg', [depth, []])
}

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

it('with streams open, one of them stalled, everything stops on SIGTERM', async () => {
  const readers = await Promise.all(Array.from({ length: STREAMS }, () => EventStreamReader.open(stream)))
  await Promise.all(readers.map((reader) => reader.until(isMeta)))
  const { hostname, port, pathname } = new URL(stream)
  const stalled = connect(Number(port), hostname).pause()
  await once(stalled, 'connect')
  stalled.write(`GET ${pathname} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const { milliseconds, code } = await program.stop('SIGTERM')
  expect(code).toBe(0)
  // Five seconds on a quiet machine; what hangs takes far longer.
  expect(milliseconds).toBeLessThan(20_000)
  for (const reader of readers) expect(await reader.next()).toBeUndefined()
  stalled.destroy()
})
