import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '#lib/core/context/context.ts'
import { FEED_CHANNEL } from '#lib/core/feed/items.ts'
import { deltaWire, readOutbox, type StreamDelta } from '#lib/core/feed/outbox-reader.ts'
import type { Config } from '#lib/platform/config.ts'
import { createDatabase, type Database } from '#lib/platform/db/client.ts'
import { readDatabaseUrl } from '#lib/platform/db/connect.ts'
import { advance, type Claimed, claim, recordDelivery, recordTest, release } from './lease.ts'
import { ATTEMPT_TIMEOUT_MS, type Attempt, postJson } from './post.ts'
import { signedHeaders } from './signature.ts'

/*
 * Sends the outbox to webhook endpoints. An endpoint has one delivery in flight at a time, in the order of the outbox,
 * and its position is committed after the answer: whatever happens to the process, a delivery is repeated and never
 * skipped. Any number of processes may run this; a lease gives each endpoint to one of them.
 */

/**
 * Requests in flight at most; receivers that failed or were slow at their last attempt share half of them, and test
 * events, which any account may request at any time, an eighth.
 */
const SLOTS = 32
const SLOTS_OF_SLOW = 16
const SLOTS_OF_TESTS = 4

/** Interval of looking for what is due, without notifications. */
const POLL_MS = 1_000

/** After this time an endpoint is given back, so that others have their turn. */
const TURN_MS = 8_000
const DELTAS_PER_READ = 20

/** An attempt begins only while its lease lasts longer than the attempt can. */
const LEASE_LEFT_MS = 15_000

/** Answers that take longer make the receiver a slow one. */
const SLOW_MS = 2_000

export interface DeliverOptions {
  readonly pollMs?: number
  readonly timeoutMs?: number
}

type Parts = Pick<Services, 'log'> & {
  readonly config: Pick<Config, 'databaseUrl' | 'webhooksAllowLoopback'>
}

/** Delivers until `signal` aborts. Logs failures of the database and goes on. */
export async function deliverWebhooks(
  { config, log }: Parts,
  signal: AbortSignal,
  { pollMs = POLL_MS, timeoutMs = ATTEMPT_TIMEOUT_MS }: DeliverOptions = {},
): Promise<void> {
  const db = createDatabase(config.databaseUrl, { max: 4, idleTimeoutMs: 600_000 })
  const deliverer = new Deliverer(db, { log, signal, timeoutMs, allowLoopback: config.webhooksAllowLoopback })
  // Only a hint, as for streams: what is due is found by looking. A pooler loses notifications.
  const { pooled } = readDatabaseUrl(config.databaseUrl)
  const listening = pooled
    ? undefined
    : db.sql.listen(FEED_CHANNEL, () => deliverer.wake()).catch(() => undefined)
  let failing = false
  while (!signal.aborted) {
    try {
      await deliverer.startDue()
      failing = false
    } catch (error) {
      if (!failing && !signal.aborted) log.warn({ err: error }, 'Webhooks cannot be delivered now, retrying')
      failing = true
    }
    await deliverer.pause(pollMs)
  }
  await deliverer.finish()
  await Promise.race([listening, sleep(500)])
  await db.close()
}

/** Delivers what is due until nothing is, or `signal` aborts. @throws Error when the database does not answer. */
export async function deliverDue(
  { config, log, db }: Parts & { readonly db: Database },
  signal: AbortSignal,
): Promise<void> {
  const { webhooksAllowLoopback: allowLoopback } = config
  const deliverer = new Deliverer(db, { log, signal, timeoutMs: ATTEMPT_TIMEOUT_MS, allowLoopback })
  while (!signal.aborted && (await deliverer.startDue()) > 0) await deliverer.finish()
}

interface DelivererParts {
  readonly log: Services['log']
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly allowLoopback: boolean
}

class Deliverer {
  readonly #db: Database
  readonly #parts: DelivererParts
  readonly #running = new Set<Promise<void>>()
  #slowRunning = 0
  #testsRunning = 0
  #wake = Promise.withResolvers<void>()

  constructor(db: Database, parts: DelivererParts) {
    this.#db = db
    this.#parts = parts
    parts.signal.addEventListener('abort', () => this.wake(), { once: true })
  }

  wake(): void {
    this.#wake.resolve()
  }

  async pause(ms: number): Promise<void> {
    const timer = setTimeout(() => this.wake(), ms)
    await this.#wake.promise
    clearTimeout(timer)
    this.#wake = Promise.withResolvers()
  }

  /** Waits for the turns that are under way. */
  async finish(): Promise<void> {
    await Promise.all(this.#running)
  }

  /** Claims endpoints that are due and starts a turn for each, as far as there are slots. @returns how many. */
  async startDue(): Promise<number> {
    const free = SLOTS - this.#running.size
    const freeOfSlow = Math.min(free, SLOTS_OF_SLOW - this.#slowRunning)
    const freeOfTests = Math.min(free, SLOTS_OF_TESTS - this.#testsRunning)
    const claimed = await claim(this.#db.sql, { token: randomUUID(), free, freeOfSlow, freeOfTests })
    for (const endpoint of claimed) {
      const turn = this.#turn(endpoint, performance.now()).finally(() => {
        this.#running.delete(turn)
        if (endpoint.testId !== null) this.#testsRunning -= 1
        else if (endpoint.slow) this.#slowRunning -= 1
        this.wake()
      })
      this.#running.add(turn)
      if (endpoint.testId !== null) this.#testsRunning += 1
      else if (endpoint.slow) this.#slowRunning += 1
    }
    return claimed.length
  }

  async #turn(endpoint: Claimed, claimedAt: number): Promise<void> {
    try {
      if (endpoint.testId !== null) await this.#sendTest(endpoint, endpoint.testId)
      else await this.#sendDue(endpoint, claimedAt)
      await release(this.#db.sql, endpoint)
    } catch (error) {
      // Its lease ends by itself, and then it is due again.
      if (!this.#parts.signal.aborted)
        this.#parts.log.warn({ err: error, webhook: endpoint.id }, 'A webhook could not be worked on')
    }
  }

  /** Sends deltas in order until one fails, there are no more, or the turn is over. */
  async #sendDue(endpoint: Claimed, claimedAt: number): Promise<void> {
    const { signal } = this.#parts
    let { position } = endpoint
    let leasedAt = claimedAt
    while (performance.now() - claimedAt < TURN_MS) {
      const page = await readOutbox(this.#db.sql, position, DELTAS_PER_READ, endpoint.filter ?? {})
      for (const delta of page.deltas) {
        if (signal.aborted || performance.now() - claimedAt > TURN_MS) return
        if (performance.now() - leasedAt > LEASE_LEFT_MS) return
        const attempt = await this.#post(endpoint, messageOf(delta))
        // A request that ended with the process says nothing about the receiver.
        if (signal.aborted && attempt.error !== undefined) return
        leasedAt = performance.now()
        const goesOn = await recordDelivery(this.#db.sql, endpoint, {
          delta,
          attempt,
          slow: isSlow(attempt),
        })
        if (!goesOn) return
        position = delta.streamSeq
      }
      await advance(this.#db.sql, endpoint, page.readTo)
      position = page.readTo
      if (position >= page.newest) return
    }
  }

  async #sendTest(endpoint: Claimed, id: string): Promise<void> {
    const data = { endpoint: endpoint.id, message: 'This is a test event.' }
    const attempt = await this.#post(endpoint, { id, type: TEST_EVENT, createdAtMs: Date.now(), data })
    if (this.#parts.signal.aborted && attempt.error !== undefined) return
    await recordTest(this.#db.sql, endpoint, { id, type: TEST_EVENT, attempt, slow: isSlow(attempt) })
  }

  #post(endpoint: Claimed, { id, type, createdAtMs, data }: Event): Promise<Attempt> {
    const body = JSON.stringify({ type, timestamp: new Date(createdAtMs).toISOString(), data })
    const timestamp = Math.floor(Date.now() / 1000)
    const { allowLoopback, timeoutMs, signal } = this.#parts
    return postJson(endpoint.url, signedHeaders({ id, timestamp, body }, endpoint.secrets), body, {
      allowLoopback,
      timeoutMs,
      signal,
    })
  }
}

function isSlow({ error, durationMs }: Attempt): boolean {
  return error !== undefined || durationMs > SLOW_MS
}

const TEST_EVENT = 'webhook_test'

interface Event {
  /** The same at every attempt: receivers recognise repetitions by it. */
  readonly id: string
  readonly type: string
  readonly createdAtMs: number
  readonly data: object
}

function messageOf(delta: StreamDelta): Event {
  return {
    id: `seq_${delta.streamSeq}`,
    type: delta.eventType,
    createdAtMs: delta.createdAtMs,
    data: deltaWire(delta),
  }
}
