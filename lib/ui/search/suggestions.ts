import type { HitView } from './hit-view.ts'

/** Fetches autocompletion of a text, the best first. @throws {Error} when the server fails. */
export async function suggestionsFor(text: string, signal: AbortSignal): Promise<readonly HitView[]> {
  const response = await fetch(`/search/suggestions?${new URLSearchParams({ q: text })}`, { signal })
  if (!response.ok) throw new Error(String(response.status))
  return ((await response.json()) as { suggestions: readonly HitView[] }).suggestions
}
