'use client'

import { useEffect, useState } from 'react'
import type { RunLink } from '../../../../lib/domain/run-link.ts'
import { PAGE_PARTICLES } from '../../../../lib/site-data/run.ts'
import type { RunForPage } from '../../../../lib/site-data/run-page.ts'
import { executeRun, simulateRun } from '../../../../lib/ui/run/requests.ts'

/**
 * A run in full: what the page was delivered with, or, where that is only its beginning or nothing, what the server
 * answers. `again` asks once more.
 */
export function useWholeRun(
  link: RunLink,
  delivered: RunForPage,
): {
  readonly result: RunForPage
  readonly whole: boolean
  readonly busy: boolean
  readonly again: () => void
} {
  const [attempt, setAttempt] = useState(0)
  const [answer, setAnswer] = useState({ result: delivered, attempt: isWhole(link, delivered) ? 0 : -1 })
  const busy = answer.attempt !== attempt
  useEffect(() => {
    if (!busy) return
    const stop = new AbortController()
    fetchRun(link, stop.signal).then(
      (result) => setAnswer({ result, attempt }),
      () => {
        // Only what was given up rejects.
      },
    )
    return () => stop.abort()
  }, [busy, link, attempt])
  return {
    result: answer.result,
    whole: !busy && answer.result.run.state === 'particles',
    busy,
    again: () => setAttempt((n) => n + 1),
  }
}

async function fetchRun(link: RunLink, signal: AbortSignal): Promise<RunForPage> {
  return link.block === undefined
    ? { where: 'here', run: await simulateRun(link, signal) }
    : { where: 'chain', run: await executeRun(link, link.block.hash, signal) }
}

function isWhole({ count }: RunLink, { run }: RunForPage): boolean {
  switch (run.state) {
    case 'particles':
      return count <= PAGE_PARTICLES && run.paths === run.streams.length
    case 'unavailable':
      return false
    default:
      return true
  }
}
