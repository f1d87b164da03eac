'use client'

import { useSyncExternalStore } from 'react'
import type { Heads } from '#lib/ui/components/chain-heads.tsx'

/** The part of `/status.json` that the feed page shows. */
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
    // The last status stays; the bar of the list shows that the site is unreachable.
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
 * The server's status: one request every few seconds for the whole page, while it is visible.
 * Undefined until the first response.
 */
export function useChainStatus(): ChainStatus | undefined {
  return useSyncExternalStore(
    watch,
    () => latest,
    () => undefined,
  )
}
