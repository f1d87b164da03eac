'use client'

import { useEffect, useState } from 'react'
import type { HitView } from './hit-view.ts'

/** Typing goes on within this time. */
const PAUSE_MS = 140

/** What fits a text so far; nothing while offline, which search by the form then says. */
export function useSuggestions(text: string): readonly HitView[] {
  const [known, setKnown] = useState<{ readonly text: string; readonly hits: readonly HitView[] }>()
  const wanted = text.trim()
  useEffect(() => {
    if (wanted === '') return
    const ending = new AbortController()
    const timer = setTimeout(() => {
      ask(wanted, ending.signal).then(
        (hits) => setKnown({ text: wanted, hits }),
        () => {
          if (!ending.signal.aborted) setKnown({ text: wanted, hits: [] })
        },
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [wanted])
  // Until the next answer the one before stays, so that the list does not flicker under the hand.
  return wanted === '' ? [] : (known?.hits ?? [])
}

async function ask(text: string, signal: AbortSignal): Promise<readonly HitView[]> {
  const response = await fetch(`/search/suggestions?${new URLSearchParams({ q: text })}`, { signal })
  if (!response.ok) throw new Error(String(response.status))
  return ((await response.json()) as { suggestions: readonly HitView[] }).suggestions
}
