import { ask, askIfAny } from '#lib/browser/requests.ts'
import type { OpenedWorld, Tiles } from '#lib/views/gallery.ts'

/** A page of the gallery. @throws Error on failure. */
export async function fetchTiles(query: string): Promise<Tiles> {
  return (await ask('GET', `/worlds/gallery/tiles${query}`)) as Tiles
}

const asked = new Map<string, Promise<OpenedWorld | null>>()

/**
 * A World with its feed, null when it does not exist; cached, because hovering often precedes opening.
 *
 * @throws Error on failure.
 */
export function fetchOpened(id: string): Promise<OpenedWorld | null> {
  const known = asked.get(id)
  if (known !== undefined) return known
  const path = `/worlds/gallery/opened?${new URLSearchParams({ id })}`
  const answer = askIfAny(path) as Promise<OpenedWorld | null>
  asked.set(id, answer)
  answer.catch(() => asked.delete(id))
  return answer
}
