import { ByteLru } from '../cache/byte-lru.ts'
import type { ReadScope } from './operation.ts'

/** For each scope a text that changes with every change in it, and never comes back. */
export type ReadStamps = Readonly<Record<ReadScope, string>>

/** An answer as it is written. */
export interface KeptAnswer {
  readonly status: number
  /** Name, value, name, value, …; without what is of one request. */
  readonly headers: readonly string[]
  readonly etag: string | undefined
  /** One character a byte: text goes into one write with the headers, which bytes do not. */
  readonly body: string
  readonly path: string
  readonly operationId: string
}

/** Answers to reads, by request line, for as long as what they say has not changed. */
export interface AnswerMemory {
  /** The answer kept for a request line, if it still holds. */
  find(line: string): KeptAnswer | undefined | Promise<KeptAnswer | undefined>
  /**
   * Remembers how things are before an answer is made.
   *
   * @returns What keeps the answer.
   */
  before(scopes: readonly ReadScope[]): Promise<(line: string, answer: KeptAnswer) => void>
}

export interface AnswerMemoryOptions {
  /** The scopes as they are now, on every process and machine that writes them, or were a moment ago. */
  readonly stamps: () => ReadStamps | Promise<ReadStamps>
  readonly maxBytes?: number
}

interface Entry {
  readonly answer: KeptAnswer
  readonly scopes: readonly ReadScope[]
  readonly stamps: ReadStamps
}

const MAX_LINE = 512
/** What an entry takes besides its body and its line. */
const ENTRY_BYTES = 1_000
const NOTHING: ReadStamps = { drafts: '', entities: '', feed: '' }

/** An answer is given again only when the stamps say, after the request came, that it still holds. */
export function createAnswerMemory({
  stamps,
  maxBytes = 32 * 1024 * 1024,
}: AnswerMemoryOptions): AnswerMemory {
  const entries = new ByteLru<string, Entry>(maxBytes)

  /** Undefined when nobody can look now: the operation itself may say what is wrong. */
  const stampsNow = (scopes: readonly ReadScope[]): ReadStamps | Promise<ReadStamps | undefined> => {
    if (scopes.length === 0) return NOTHING
    const now = stamps()
    return now instanceof Promise ? now.catch(() => undefined) : now
  }

  const judge = (line: string, entry: Entry, now: ReadStamps | undefined): KeptAnswer | undefined => {
    if (now === undefined) return undefined
    if (entry.scopes.every((scope) => now[scope] === entry.stamps[scope])) return entry.answer
    // Somebody may have kept a newer one meanwhile.
    if (entries.get(line) === entry) entries.delete(line)
    return undefined
  }
  const keep = (line: string, entry: Entry, bytes: number): void => {
    entries.delete(line)
    if (line.length <= MAX_LINE && bytes <= maxBytes / 8) entries.set(line, entry, bytes)
  }

  return {
    find: (line) => {
      const entry = entries.get(line)
      if (entry === undefined) return undefined
      const now = stampsNow(entry.scopes)
      return now instanceof Promise ? now.then((then) => judge(line, entry, then)) : judge(line, entry, now)
    },
    before: async (scopes) => {
      const stamps = await stampsNow(scopes)
      if (stamps === undefined) return () => undefined
      return (line, answer) =>
        keep(line, { answer, scopes, stamps }, ENTRY_BYTES + 2 * line.length + answer.body.length)
    },
  }
}
