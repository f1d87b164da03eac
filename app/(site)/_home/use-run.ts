'use client'

import { useEffect, useState } from 'react'
import { type Run, UNAVAILABLE } from '../../../lib/site-data/run.ts'

/** While a slider moves, only where it rests is worth a run. */
const REST_MS = 90

export interface Asked {
  readonly connector: string
  /** 1..65,536. */
  readonly count: number
}

export interface Shown extends Asked {
  readonly run: Run
}

/** The page comes with its first run, and most readers look at that one: the client is fetched with the first choice. */
async function run(connector: string, count: number, signal: AbortSignal): Promise<Run> {
  const client = await import('./run-client.ts').catch(() => undefined)
  signal.throwIfAborted()
  return client?.runConnector(connector, count, signal) ?? { state: 'unavailable', message: UNAVAILABLE }
}

/**
 * Keeps `shown` following `asked`: first what the page was delivered with, then runs through the API, of the
 * newest question only. `again` repeats the question.
 */
export function useRun(asked: Asked, delivered: Shown): { shown: Shown; busy: boolean; again: () => void } {
  const { connector, count } = asked
  const [attempt, setAttempt] = useState(0)
  const [answer, setAnswer] = useState(() => ({
    ...delivered,
    // What the server could not find out in time, the browser asks for itself.
    attempt: delivered.run.state === 'unavailable' ? -1 : 0,
  }))
  const current = answer.connector === connector && answer.count === count && answer.attempt === attempt

  useEffect(() => {
    if (current) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      run(connector, count, stop.signal).then(
        (run) => setAnswer({ connector, count, run, attempt }),
        () => {
          // Only an aborted run rejects, and a newer question has taken its place.
        },
      )
    }, REST_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [connector, count, attempt, current])

  return { shown: answer, busy: !current, again: () => setAttempt((n) => n + 1) }
}
