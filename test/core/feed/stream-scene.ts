import { afterEach, beforeEach } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import type { EventStreamReader, Frame } from '#test/support/event-stream.ts'
import { type FeedTables, feedTables } from './feed-tables.ts'
import { type StreamSite, type StreamSiteOptions, startStreamSite } from './stream-site.ts'

export let db: TestDatabase
export let feed: FeedTables
let sites: StreamSite[]

/** A new database and feed for each test of a file. */
export function newFeeds(): void {
  beforeEach(async () => {
    db = await createTestDatabase()
    feed = await feedTables(db.sql)
    sites = []
  })
  afterEach(async () => {
    await Promise.all(sites.map((site) => site.close()))
    await db.close()
  })
}

export async function start(options?: StreamSiteOptions): Promise<StreamSite> {
  const site = await startStreamSite(db.url, options)
  sites.push(site)
  return site
}

export function isMeta({ event }: Frame) {
  return event === 'stream_meta'
}
export function seqs(frames: readonly Frame[]) {
  return frames.flatMap(({ id }) => id ?? [])
}

/** The stream's beginning: replayed numbers and the description of the replay. */
export async function opening(
  reader: EventStreamReader,
): Promise<{ replayed: number[]; meta: Frame['data'] }> {
  const frames = await reader.until(isMeta)
  return { replayed: seqs(frames), meta: frames.at(-1)?.data }
}

export async function take(reader: EventStreamReader, count: number, timeoutMs?: number): Promise<number[]> {
  const taken: number[] = []
  while (taken.length < count) {
    const [frame] = await reader.until(({ id }) => id !== undefined, timeoutMs)
    taken.push(...seqs(frame === undefined ? [] : [frame]))
  }
  return taken
}

export function span(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}
