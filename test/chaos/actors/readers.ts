import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../simulation/random.ts'
import { EventStreamReader } from '../../support/event-stream.ts'
import type { Client } from '../client.ts'
import type { Report } from '../report.ts'

/** Short, so that a reader whose site hangs goes to another. */
const PATIENCE_MS = 20_000
const AGAIN_MS = 50

export interface ReadDelta {
  readonly seq: number
  readonly status: unknown
  readonly feedId: unknown
}

/** Somebody who reads the stream of the feed all the time, from any site, and goes on where they were. */
export interface Reader {
  readonly taken: readonly ReadDelta[]
  stop(): Promise<void>
}

export function startReader(client: Client, random: Random, report: Report): Reader {
  const taken: ReadDelta[] = []
  let stream: EventStreamReader | undefined
  let stopped = false

  const visit = async (): Promise<void> => {
    const last = taken.at(-1)?.seq ?? 0
    const limit = random.between(1, 200)
    stream = await EventStreamReader.open(`${client.site()}/chain/feed/stream?limit=${limit}`, {
      headers: { 'Last-Event-ID': String(last) },
    })
    if (stream.status !== 200) return
    // Now and then it leaves by itself.
    for (let left = random.between(1, 60); left > 0 && !stopped; left--) {
      const frame = await stream.next(PATIENCE_MS)
      if (frame === undefined) return
      if (frame.data?.stale_since_seq === true)
        report.violation(`a reader at ${last} is told that it lost deltas`)
      if (frame.id === undefined) continue
      const expected = (taken.at(-1)?.seq ?? 0) + 1
      if (frame.id !== expected) report.violation(`a reader got delta ${frame.id} in place of ${expected}`)
      taken.push({ seq: frame.id, status: frame.data?.status, feedId: frame.data?.feed_id })
    }
  }
  const reading = (async () => {
    while (!stopped) {
      // Nobody there, a cut, or nothing new for long: each is a reason to come again.
      await visit().catch((error: unknown) => {
        if (/not a frame/.test(String(error))) report.violation(`a reader got ${String(error)}`)
      })
      stream?.close()
      report.count('visits of stream readers')
      await sleep(AGAIN_MS)
    }
  })()
  return {
    taken,
    async stop() {
      stopped = true
      stream?.close()
      await reading
    },
  }
}
