/**
 * What the feed's fan-out comes to with more readers, events and sites than one machine has: `node bench/feed-fan-out.ts`.
 *
 * First it measures here what one delivery costs a process: the same bytes written to each of many open responses. Then it
 * plays sites through with that cost: events come by chance, a site writes one batch after another to all of its readers,
 * and what came meanwhile is the next batch. `docs/scale.md` says what follows.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const READERS = 400
const ROUNDS = 40
const REPEATS = 5
/** A delta of the feed as it is sent. */
const BYTES = 620
const BATCHES = [1, 64] as const
/** Deltas that one batch holds at most, as in the tailer. */
const BATCH_LIMIT = 500
/** Of one processor, so that a burst finds room. */
const SHARE = 0.5

interface Cost {
  /** Microseconds of processor for one write to one reader, and for each delta in it. */
  readonly write: number
  readonly delta: number
}

if (process.send !== undefined) await serve(process.send.bind(process))
else await main()

async function main(): Promise<void> {
  const cost = await measure()
  console.log(
    `one write ${cost.write.toFixed(1)} µs of processor, each delta in it ${cost.delta.toFixed(2)} µs more (${BYTES} bytes, ${READERS} readers)`,
  )
  console.log('\nreaders a site | events/s | deltas/s to each | p50 ms | p99 ms | processor')
  for (const [readers, events] of [
    [100, 0.1],
    [1_000, 1],
    [10_000, 1],
    [10_000, 10],
    [10_000, 100],
    [10_000, 1_000],
    [50_000, 10],
    [50_000, 100],
  ] as const) {
    const { p50, p99, busy, late } = play(readers, events, cost)
    const state = late ? 'falls behind' : `${Math.round(busy * 100)} %`
    console.log(`${readers} | ${events} | ${events} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${state}`)
  }
  console.log('\nreaders | events/s | sites at half a processor | reads of the outbox/s | sent Gbit/s')
  for (const [readers, events] of [
    [1_000, 0.1],
    [1_000_000, 1],
    [1_000_000, 100],
    [1_000_000_000, 1],
    [1_000_000_000, 100],
  ] as const) {
    const perSite = capacity(events, cost)
    const sites = Math.ceil(readers / perSite)
    const gigabits = (readers * events * BYTES * 8) / 1e9
    console.log(
      [
        readers,
        events,
        sites,
        Math.round(sites * Math.min(events, 1e6 / (perSite * cost.write))),
        gigabits.toFixed(2),
      ].join(' | '),
    )
  }
}

/** Readers whose deltas take one site `SHARE` of a processor, and no more than 50,000: memory ends there. */
function capacity(events: number, { write, delta }: Cost): number {
  return Math.max(1, Math.min(50_000, Math.floor((SHARE * 1e6) / (events * (write + delta)))))
}

/** Plays two minutes of one site. Times are milliseconds from an event to its last reader. */
function play(readers: number, events: number, { write, delta }: Cost) {
  const random = seeded(7)
  const arrivals: number[] = []
  const end = Math.max(120, 200 / events) * 1e6
  for (let at = 0; at < end; ) {
    at += (-Math.log(1 - random()) / events) * 1e6
    arrivals.push(at)
  }
  const late: number[] = []
  let now = 0
  let busy = 0
  for (let next = 0; next < arrivals.length; ) {
    now = Math.max(now, arrivals[next] as number)
    let size = 0
    while (size < BATCH_LIMIT && (arrivals[next + size] ?? Number.POSITIVE_INFINITY) <= now) size += 1
    const work = readers * (write + size * delta)
    now += work
    busy += work
    for (let each = 0; each < size; each++) late.push((now - (arrivals[next + each] as number)) / 1000)
    next += size
  }
  late.sort((a, b) => a - b)
  const at = (share: number) => late[Math.floor((late.length - 1) * share)] as number
  return { p50: at(0.5), p99: at(0.99), busy: busy / now, late: now > end * 1.05 }
}

/** The processor's time for one write, with few and with many deltas in it. */
async function measure(): Promise<Cost> {
  const child = fork(import.meta.filename, { stdio: 'inherit' })
  const port = Number(await message(child))
  const readers = await Promise.all(Array.from({ length: READERS }, () => open(port)))
  const micros: number[] = []
  for (const batch of BATCHES) {
    const tries: number[] = []
    for (let n = 0; n < REPEATS; n++) {
      child.send(batch)
      tries.push(Number(await message(child)))
    }
    // Whatever else the machine did made it dearer, never cheaper.
    micros.push(Math.min(...tries))
  }
  for (const reader of readers) reader.destroy()
  child.kill()
  const [small = 0, large = 0] = micros
  const delta = Math.max(0, (large - small) / (BATCHES[1] - BATCHES[0]))
  return { write: small - delta, delta }
}

async function message(child: ChildProcess): Promise<unknown> {
  return (await once(child, 'message'))[0]
}

async function open(port: number): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent: false }, resolve).once('error', reject)
  })
  response.on('error', () => {}).resume()
  return response
}

/** The other side: writes to all of its readers when told to, and tells what a write cost. */
async function serve(tell: (value: unknown) => void): Promise<void> {
  const open: ServerResponse[] = []
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
    open.push(response)
  })
  server.listen(0, '127.0.0.1', () => tell((server.address() as AddressInfo).port))
  process.on('message', async (batch: number) => {
    const bytes = Buffer.alloc(batch * BYTES, 'x')
    const round = () => Promise.all(open.map((each) => new Promise((done) => each.write(bytes, done))))
    for (let warm = 0; warm < 20; warm++) await round()
    const before = process.cpuUsage()
    for (let n = 0; n < ROUNDS; n++) await round()
    const { user, system } = process.cpuUsage(before)
    tell((user + system) / (ROUNDS * open.length))
  })
}

/** The same numbers every time. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
