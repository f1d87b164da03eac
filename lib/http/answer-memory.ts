import { grouped } from './grouped.ts'
import type { ReadScope } from './operation.ts'

/** For each scope a text that changes with every change in it, and never comes back. */
export type ReadStamps = Readonly<Record<ReadScope, string>>

/** An answer as it is written. */
export interface KeptAnswer {
  readonly status: number
  /** Name, value, name, value, …; without what is of one request. */
  readonly headers: readonly string[]
  readonly body: Uint8Array
  readonly path: string
  readonly operationId: string
}

/** Answers to reads, by request line, for as long as what they say has not changed. */
export interface AnswerMemory {
  /** The answer kept for a request line, if it holds at a moment after this call. */
  find(line: string): Promise<KeptAnswer | undefined> | undefined
  /**
   * Remembers the moment before an answer is made.
   *
   * @returns What keeps the answer.
   */
  before(scopes: readonly ReadScope[]): Promise<(line: string, answer: KeptAnswer) => void>
}

export interface AnswerMemoryOptions {
  /** Looks at the scopes as they are now, on every process and machine that writes them. */
  readonly stamps: () => Promise<ReadStamps>
  readonly maxBytes?: number
}

interface Entry {
  readonly answer: KeptAnswer
  readonly scopes: readonly ReadScope[]
  readonly stamp: string
  readonly bytes: number
}

const MAX_LINE = 512
/** What an entry takes besides its body and its line. */
const ENTRY_BYTES = 1_000

/**
 * Nothing in it is ever given out on trust: the scopes are looked at after each request came in. Requests share those
 * looks, so that many cost hardly more than one.
 */
export function createAnswerMemory({
  stamps,
  maxBytes = 32 * 1024 * 1024,
}: AnswerMemoryOptions): AnswerMemory {
  const look = grouped(stamps)
  const entries = new Map<string, Entry>()
  let bytes = 0

  const drop = (line: string, entry: Entry): void => {
    if (entries.get(line) !== entry) return
    entries.delete(line)
    bytes -= entry.bytes
  }
  /** Undefined when nobody can look now: the operation itself may say what is wrong. */
  const stampNow = async (scopes: readonly ReadScope[]): Promise<string | undefined> => {
    if (scopes.length === 0) return ''
    const stamps = await look().catch(() => undefined)
    return stamps && scopes.map((scope) => stamps[scope]).join(' ')
  }
  const check = async (line: string, entry: Entry): Promise<KeptAnswer | undefined> => {
    const stamp = await stampNow(entry.scopes)
    if (stamp === entry.stamp) return entry.answer
    if (stamp !== undefined) drop(line, entry)
    return undefined
  }
  const keep = (line: string, entry: Entry): void => {
    const old = entries.get(line)
    if (old !== undefined) drop(line, old)
    if (line.length > MAX_LINE || entry.bytes > maxBytes / 8) return
    entries.set(line, entry)
    bytes += entry.bytes
    for (const [oldest, each] of entries) {
      if (bytes <= maxBytes) break
      drop(oldest, each)
    }
  }

  return {
    find: (line) => {
      const entry = entries.get(line)
      if (entry === undefined) return undefined
      // The longest unused are dropped first.
      entries.delete(line)
      entries.set(line, entry)
      return check(line, entry)
    },
    before: async (scopes) => {
      const stamp = await stampNow(scopes)
      if (stamp === undefined) return () => undefined
      return (line, answer) =>
        keep(line, { answer, scopes, stamp, bytes: ENTRY_BYTES + 2 * line.length + answer.body.byteLength })
    },
  }
}
