import { ask, askIfAny } from '#lib/browser/requests.ts'
import type { LivingPiece, WallPage } from '#lib/views/wall.ts'

/** A page of the wall. @throws Error on failure. */
export async function fetchTiles(query: string): Promise<WallPage> {
  return (await ask('GET', `/discover/tiles${query}`)) as WallPage
}

/** Pieces that have been looked at: a page of a wall or two. */
const MAX_KNOWN = 64
const known = new Map<string, Promise<LivingPiece | null>>()

/** What a piece needs to come to life, null where there is none; cached, because a look often precedes a press. @throws Error on failure. */
export function fetchLiving(name: string): Promise<LivingPiece | null> {
  const before = known.get(name)
  if (before !== undefined) return before
  const path = `/discover/living?${new URLSearchParams({ name })}`
  const answer = askIfAny(path) as Promise<LivingPiece | null>
  known.set(name, answer)
  for (const [oldest] of known) {
    if (known.size <= MAX_KNOWN) break
    known.delete(oldest)
  }
  answer.catch(() => known.delete(name))
  return answer
}
