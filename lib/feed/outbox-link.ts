import postgres from 'postgres'
import { reconnectDelay } from '../db/client.ts'
import { FEED_CHANNEL } from './outbox.ts'
import { type OutboxPage, readOutbox } from './read-outbox.ts'

/** The tailer's own connections: one that hears of new deltas, one that reads them. */
export interface OutboxLink {
  read(after: number, limit: number): Promise<OutboxPage>
  /** Highest number that was announced so far. */
  announced(): number
  close(): void
}

export interface OutboxLinkOptions {
  readonly databaseUrl: string
  /** Milliseconds to wait for any answer. */
  readonly patienceMs: number
  /** Called when something was announced, and whenever listening begins anew. */
  readonly wake: () => void
}

/** Listens for new deltas. Every method fails when the database does not answer in time. */
export const openOutboxLink = async (options: OutboxLinkOptions): Promise<OutboxLink> => {
  const { databaseUrl, patienceMs, wake } = options
  const sql = postgres(databaseUrl, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: Math.ceil(patienceMs / 1000),
    backoff: reconnectDelay,
    onnotice: () => {},
    connection: { application_name: 'weft-stream' },
  })
  let announced = 0
  const close = () => void sql.end({ timeout: 0 }).catch(() => {})
  try {
    await inTime(
      sql.listen(
        FEED_CHANNEL,
        (last) => {
          announced = Math.max(announced, Number(last) || 0)
          wake()
        },
        wake,
      ),
      patienceMs,
    )
  } catch (error) {
    close()
    throw error
  }
  return {
    read: (after, limit) => inTime(readOutbox(sql, after, limit), patienceMs),
    announced: () => announced,
    close,
  }
}

/** A connection whose other end vanished without a word must not hold up the stream. */
const inTime = async <T>(work: Promise<T>, patienceMs: number): Promise<T> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('the database does not answer')), patienceMs)
  // What loses the race may still fail later.
  work.catch(() => {})
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
