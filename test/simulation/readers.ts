import type { Sql } from 'postgres'
import { type Delta, readDeltas } from './audit.ts'
import type { Random } from './random.ts'

/** Somebody who follows the stream, loses the connection now and then, and goes on where it stopped. */
export interface Reader {
  /** Reads a little, or loses what it was just being sent. */
  advance(): Promise<void>
  /** Reads up to the end. */
  finish(): Promise<void>
  readonly seen: readonly Delta[]
  readonly reconnects: number
}

export const startReader = (sql: Sql, random: Random): Reader => {
  const seen: Delta[] = []
  let reconnects = 0
  const read = async (limit: number) => readDeltas(sql, seen.at(-1)?.stream_seq ?? 0, limit)
  return {
    seen,
    get reconnects() {
      return reconnects
    },
    async advance() {
      const sent = await read(random.between(1, 40))
      if (!random.chance(0.4)) return void seen.push(...sent)
      // Cut off in the middle: only what came whole was seen.
      reconnects += 1
      seen.push(...sent.slice(0, random.between(0, sent.length)))
    },
    async finish() {
      for (;;) {
        const sent = await read(1000)
        if (sent.length === 0) return
        seen.push(...sent)
      }
    },
  }
}
