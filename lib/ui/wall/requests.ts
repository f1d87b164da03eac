import { ask, askIfAny } from '#lib/browser/requests.ts'
import type { LivingPiece, WallPage } from '#lib/views/wall.ts'

/** A page of the wall. @throws Error on failure. */
export async function fetchTiles(query: string): Promise<WallPage> {
  return (await ask('GET', `/discover/tiles${query}`)) as WallPage
}

/** Between attempts while the simulator is too busy. */
const PAUSE_MS = 1_500
const ATTEMPTS = 20

/**
 * Data that brings a piece to life, null where there is none.
 *
 * @param signal Ends the attempts.
 * @throws Error on failure.
 */
export async function fetchLiving(name: string, signal: AbortSignal): Promise<LivingPiece | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // The browser keeps answers for a moment, also those without streams.
    const query = new URLSearchParams({ name, ...(attempt > 0 && { attempt: String(attempt) }) })
    const piece = (await askIfAny(`/discover/living?${query}`)) as LivingPiece | null
    if (piece === null || piece.streams.length > 0) return piece
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    signal.throwIfAborted()
  }
  return null
}
