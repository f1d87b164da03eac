import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChainClient, follow } from '#lib/client/index.ts'
import { testBrowser } from '#test/support/browser.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts'
import { until } from '#test/support/until.ts'
import { type FeedTables, feedTables } from './feed-tables.ts'
import { type StreamSite, startStreamSite } from './stream-site.ts'

/*
 * Third-party readers of event streams, and our own, behind a proxy that cuts connections: each with an
 * address that names a position, which an `EventSource` repeats for ever, and with one that names none.
 */

const EVENTS = ['connector_added', 'transformation_added', 'condition_added']
const CUTS = 5
/** Deltas that are there before anyone reads. */
const BEFORE = 20
const SINCE = 10

const hasPython = spawnSync('python3', ['--version']).status === 0

/** Reads until `signal` aborts, and tells each number as it comes. */
type Reader = (url: string, taken: (seq: number) => void, signal: AbortSignal) => void | Promise<void>

let db: TestDatabase
let feed: FeedTables
let site: StreamSite
let proxy: TcpProxy
const browser = testBrowser()

beforeAll(async () => {
  db = await createTestDatabase()
  feed = await feedTables(db.sql)
  site = await startStreamSite(db.url, { tickMs: 100 })
  proxy = await startTcpProxy(Number(new URL(site.url).port))
})
afterAll(async () => {
  await proxy?.close()
  await site?.close()
  await db?.close()
})

const readers: Readonly<Record<string, Reader>> = {
  "Chromium's EventSource": async (url, taken, signal) => {
    const page = await browser().newPage()
    signal.addEventListener('abort', () => void page.close())
    await page.exposeFunction('taken', taken)
    await page.evaluate(
      ({ url, events }) => {
        const { taken } = window as unknown as { taken: (seq: number) => void }
        const source = new EventSource(url)
        for (const event of events)
          source.addEventListener(event, ({ lastEventId }) => taken(Number(lastEventId)))
      },
      { url, events: EVENTS },
    )
  },
  "Node's EventSource": async (url, taken, signal) => {
    // While it waits to connect again, it keeps no process alive.
    const program = `
      setInterval(() => {}, 60_000)
      const source = new EventSource(${JSON.stringify(url)})
      for (const event of ${JSON.stringify(EVENTS)})
        source.addEventListener(event, ({ lastEventId }) => console.log(lastEventId))`
    const child = spawn(process.execPath, ['--experimental-eventsource', '-e', program], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    signal.addEventListener('abort', () => child.kill())
    for await (const line of createInterface({ input: child.stdout })) taken(Number(line))
  },
  eventsource: async (url, taken, signal) => {
    const { EventSource } = await import('eventsource')
    const source = new EventSource(url)
    for (const event of EVENTS)
      source.addEventListener(event, ({ lastEventId }) => taken(Number(lastEventId)))
    signal.addEventListener('abort', () => source.close())
  },
  'eventsource-parser and fetch': async (url, taken, signal) => {
    let last = 0
    while (!signal.aborted) {
      try {
        const headers: Record<string, string> = last === 0 ? {} : { 'Last-Event-ID': String(last) }
        const { body } = await fetch(url, { headers, signal })
        const parser = createParser({
          onEvent: ({ event = '', id }) => {
            if (!EVENTS.includes(event)) return
            last = Number(id)
            taken(last)
          },
        })
        for await (const text of (body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()))
          parser.feed(text)
      } catch {
        await sleep(20)
      }
    }
  },
}

/** Our own, which names its position at every connection. */
async function followFrom(since: number, taken: (seq: number) => void, signal: AbortSignal): Promise<void> {
  const chain = createChainClient(proxy.through(site.url).replace('/feed/stream', ''))
  for await (const { stream_seq } of follow(chain, { sinceSeq: since, signal })) taken(stream_seq)
}

/** Ours in Python, of the standard library. */
async function pythonFrom(since: number, taken: (seq: number) => void, signal: AbortSignal): Promise<void> {
  const origin = new URL(proxy.through(site.url)).origin
  const program = `from weft_client import Weft
for change in Weft("${origin}").follow(${since}):
    print(change.stream_seq)`
  const child = spawn('python3', ['-u', '-c', program], {
    env: { ...process.env, PYTHONPATH: 'examples/python', PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  signal.addEventListener('abort', () => child.kill())
  for await (const line of createInterface({ input: child.stdout })) taken(Number(line))
}

test('six readers through cut connections, with and without a position: nothing twice, nothing lost', async () => {
  await feed.append(BEFORE)
  const ending = new AbortController()
  const runs = new Map<string, number[]>()
  const starting: unknown[] = []
  const begin = (name: string, read: (taken: (seq: number) => void) => void | Promise<void>) => {
    const numbers: number[] = []
    runs.set(name, numbers)
    starting.push(Promise.resolve(read((seq) => numbers.push(seq))).catch(() => undefined))
  }
  for (const [name, read] of Object.entries(readers)) {
    for (const query of ['', `?since_seq=${SINCE}`]) {
      const url = proxy.through(`${site.url}${query}`)
      begin(`${name} ${query}`, (taken) => read(url, taken, ending.signal))
    }
  }
  begin('follow ', (taken) => followFrom(0, taken, ending.signal))
  begin(`follow ?since_seq=${SINCE}`, (taken) => followFrom(SINCE, taken, ending.signal))
  if (hasPython) {
    begin('Python ', (taken) => pythonFrom(0, taken, ending.signal))
    begin(`Python ?since_seq=${SINCE}`, (taken) => pythonFrom(SINCE, taken, ending.signal))
  }

  let last = BEFORE
  const caughtUp = () =>
    until('all are at the end', () => [...runs.values()].every((seen) => seen.at(-1) === last))
  await caughtUp()
  for (let cut = 0; cut < CUTS; cut++) {
    await feed.append(7)
    last += 7
    proxy.cut()
    await feed.append(3)
    last += 3
    await caughtUp()
  }
  ending.abort()
  await Promise.all(starting)
  const whole = Array.from({ length: last }, (_, index) => index + 1)
  for (const [name, numbers] of runs) {
    expect([name, numbers]).toEqual([name, name.endsWith(`=${SINCE}`) ? whole.slice(SINCE) : whole])
  }
})
