import { ask, askIfAny } from '#lib/browser/requests.ts'
import type { OpenedWorld, Tiles } from '#lib/views/gallery.ts'

/** A page of the gallery. @throws Error on failure. */
export async function fetchTiles(query: string): Promise<Tiles> {
  return (await ask('GET', `/worlds/gallery/tiles${query}`)) as Tiles
}

/** Returns a World with its feed, null when it does not exist. @throws Error on failure. */
export async function fetchOpened(id: string): Promise<OpenedWorld | null> {
  return (await askIfAny(`/worlds/gallery/opened?${new URLSearchParams({ id })}`)) as OpenedWorld | null
}
