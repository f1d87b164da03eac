'use client'

import { useAnswer } from '#lib/ui/components/use-answer.ts'
import type { HitView } from '#lib/ui/lists/hit-view.ts'

/** Pause of typing after which suggestions are fetched. */
const DEBOUNCE_MS = 140

/** Autocompletion of a text, the best first; the last one until the next is here, none while offline. */
export function useSuggestions(text: string): readonly HitView[] {
  const query = text.trim()
  const answer = useAnswer(
    query || undefined,
    (signal) => fetchSuggestions(query, signal).catch(() => []),
    DEBOUNCE_MS,
  )
  return query === '' ? [] : (answer?.value ?? [])
}

async function fetchSuggestions(text: string, signal: AbortSignal): Promise<readonly HitView[]> {
  const response = await fetch(`/search/suggestions?${new URLSearchParams({ q: text })}`, { signal })
  if (!response.ok) throw new Error(String(response.status))
  return ((await response.json()) as { suggestions: readonly HitView[] }).suggestions
}
