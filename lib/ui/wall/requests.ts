import { ask, askIfAny } from '#lib/browser/requests.ts'
import type { LivingPiece, WallPage } from '#lib/views/wall.ts'

/** A page of the wall. @throws Error on failure. */
export async function fetchTiles(query: string): Promise<WallPage> {
  return (await ask('GET', `/discover/tiles${query}`)) as WallPage
}

/** Pieces that have been looked at: a page of a wall or two. */
const MAX_KNOWN = 64
const known = new Map<string, Promise<LivingPiece | null>>()

/** Between attempts while the simulator is too busy. */
const PAUSE_MS = 1_500
const ATTEMPTS = 20

/**
 * Data that brings a piece to life, null where there is none; cached, because a hover often precedes a press.
 *
 * @param signal Ends the attempts.
 * @throws Error on failure.
 */
export async function fetchLiving(name: string, signal: AbortSignal): Promise<LivingPiece | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const piece = await fetchOnce(name)
    if (piece === null || piece.streams.length > 0) return piece
    known.delete(name)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    signal.throwIfAborted()
  }
  return null
}

function fetchOnce(name: string): Promise<LivingPiece | null> {
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
