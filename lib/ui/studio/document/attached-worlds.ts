import type { AttachedWorld, StudioView } from './types.ts'

/** More frames than this beside one connector would slow down everything else. */
export const MAX_ATTACHED = 4

/** The Worlds of a connector, in the order in which they were attached. @param of `tabKey` of its tab. */
export function worldsOf({ worlds = NONE }: StudioView, of: string): readonly AttachedWorld[] {
  return worlds.filter((attached) => attached.of === of)
}

const NONE: readonly AttachedWorld[] = []

/** Attaches a World to a connector, unless it is there already or there are too many. */
export function attachWorld(view: StudioView, of: string, world: string): StudioView {
  const here = worldsOf(view, of)
  if (here.length >= MAX_ATTACHED || here.some((attached) => attached.world === world)) return view
  return { ...view, worlds: [...(view.worlds ?? NONE), { of, world }] }
}

export function detachWorld(view: StudioView, of: string, world: string): StudioView {
  const worlds = (view.worlds ?? NONE).filter((attached) => attached.of !== of || attached.world !== world)
  return worlds.length === (view.worlds ?? NONE).length ? view : { ...view, worlds }
}

/** Puts a World somewhere in the graph. */
export function placeWorld(
  view: StudioView,
  of: string,
  world: string,
  { x, y }: { readonly x: number; readonly y: number },
): StudioView {
  const worlds = (view.worlds ?? NONE).map((attached) =>
    attached.of === of && attached.world === world ? { of, world, place: { x, y } } : attached,
  )
  return { ...view, worlds }
}

/** Brings the Worlds of a connector back beside it. */
export function forgetWorldPlaces(view: StudioView, of: string): StudioView {
  if (worldsOf(view, of).every(({ place }) => place === undefined)) return view
  const worlds = (view.worlds ?? NONE).map((attached) =>
    attached.of === of ? { of, world: attached.world } : attached,
  )
  return { ...view, worlds }
}

/** What is left when connectors of the document are gone: each World once, no more than there may be. */
export function tidyWorlds({ worlds = NONE }: StudioView, exists: (of: string) => boolean): AttachedWorld[] {
  const counts = new Map<string, number>()
  const single = new Map(worlds.map((attached) => [`${attached.world} ${attached.of}`, attached]))
  return [...single.values()].filter(({ of }) => {
    const count = (counts.get(of) ?? 0) + 1
    counts.set(of, count)
    return count <= MAX_ATTACHED && exists(of)
  })
}
