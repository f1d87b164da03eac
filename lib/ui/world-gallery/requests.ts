import type { OpenedWorld, Tiles } from '../../views/gallery.ts'

/** A page of the gallery. @throws Error on failure. */
export async function fetchTiles(query: string): Promise<Tiles> {
  const response = await fetch(`/worlds/gallery/tiles${query}`)
  if (!response.ok) throw new Error(String(response.status))
  return (await response.json()) as Tiles
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
  const answer = read(id)
  asked.set(id, answer)
  answer.catch(() => asked.delete(id))
  return answer
}

async function read(id: string): Promise<OpenedWorld | null> {
  const response = await fetch(`/worlds/gallery/opened?${new URLSearchParams({ id })}`)
  if (response.status === 404) return null
  if (!response.ok) throw new Error(String(response.status))
  return (await response.json()) as OpenedWorld
}
