'use client'

import { useEffect, useState } from 'react'
import { type Run, UNAVAILABLE } from '../../../lib/views/run.ts'

/** Of a slider. */
const DEBOUNCE_MS = 90

export interface RunRequest {
  readonly connector: string
  /** 1..65,536. */
  readonly count: number
}

export interface Shown extends RunRequest {
  readonly run: Run
}

/** The client is loaded with the first choice: most readers only see the run that the page came with. */
async function simulate(connector: string, count: number, signal: AbortSignal): Promise<Run> {
  const client = await import('../../../lib/ui/run/requests.ts').catch(() => undefined)
  signal.throwIfAborted()
  return (
    client?.simulateRun({ connector, count, dynamicRi: [] }, signal) ?? {
      state: 'unavailable',
      message: UNAVAILABLE,
    }
  )
}

/** The run of the newest request: first the delivered one, then simulations by the API. `again` repeats it. */
export function useRun(
  request: RunRequest,
  delivered: Shown,
): { shown: Shown; busy: boolean; again: () => void } {
  const { connector, count } = request
  const [attempt, setAttempt] = useState(0)
  const [answer, setAnswer] = useState(() => ({
    ...delivered,
    // The server timed out: the browser retries.
    attempt: delivered.run.state === 'unavailable' ? -1 : 0,
  }))
  const current = answer.connector === connector && answer.count === count && answer.attempt === attempt

  useEffect(() => {
    if (current) return
    const control = new AbortController()
    const timer = setTimeout(() => {
      simulate(connector, count, control.signal).then(
        (run) => setAnswer({ connector, count, run, attempt }),
        () => {
          // Only an aborted run rejects: a newer one has replaced it.
        },
      )
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [connector, count, attempt, current])

  return { shown: answer, busy: !current, again: () => setAttempt((n) => n + 1) }
}
