'use client'

import { useSyncExternalStore } from 'react'
import type { Heads } from '../../../../lib/ui/chain-heads.tsx'

/** What `/status.json` says, as far as the feed page shows it. */
interface ChainStatus {
  readonly status: 'healthy' | 'degraded'
  /** Null while the server does not reach its database. */
  readonly feed: Heads | null
}

const LOOK_MS = 2500

let latest: ChainStatus | undefined
const readers = new Set<() => void>()
let looking: ReturnType<typeof setInterval> | undefined

async function look(): Promise<void> {
  if (document.visibilityState === 'hidden') return
  try {
    const response = await fetch('/status.json', { headers: { accept: 'application/json' } })
    latest = (await response.json()) as ChainStatus
    for (const reader of readers) reader()
  } catch {
    // What was last known stays; the bar of the list says that the site does not answer.
  }
}

function watch(changed: () => void): () => void {
  readers.add(changed)
  looking ??= setInterval(look, LOOK_MS)
  return () => {
    readers.delete(changed)
    if (readers.size > 0) return
    clearInterval(looking)
    looking = undefined
    latest = undefined
  }
}

/**
 * How the server is now; one question every few seconds for everything on the page, while somebody can see it.
 * Undefined until the first answer: what the page came with holds.
 */
export function useChainStatus(): ChainStatus | undefined {
  return useSyncExternalStore(
    watch,
    () => latest,
    () => undefined,
  )
}
