import { type SlotChoice, withChoice } from '#lib/protocol/world-slots.ts'
import { same } from './same.ts'
import type { AttachedWorld, Point, StudioDocument } from './types.ts'

/** More frames than this beside one connector would slow down everything else. */
export const MAX_ATTACHED = 4

/** The Worlds of a connector, in the order in which they were attached. @param of `tabKey` of its tab. */
export function worldsOf(
  { worlds = NONE }: Pick<StudioDocument, 'worlds'>,
  of: string,
): readonly AttachedWorld[] {
  return worlds.filter((attached) => attached.of === of)
}

const NONE: readonly AttachedWorld[] = []

/**
 * Attaches a World to a connector, unless it is there already or there are too many.
 *
 * @param slots Connectors that feed its slots.
 */
export function attachWorld(
  document: StudioDocument,
  of: string,
  world: string,
  slots: readonly SlotChoice[] = [],
): StudioDocument {
  const here = worldsOf(document, of)
  if (here.length >= MAX_ATTACHED || here.some((attached) => attached.world === world)) return document
  const attached = { of, world, ...(slots.length > 0 && { slots }) }
  return withWorlds(document, [...(document.worlds ?? NONE), attached])
}

export function detachWorld(document: StudioDocument, of: string, world: string): StudioDocument {
  const worlds = (document.worlds ?? NONE).filter(
    (attached) => attached.of !== of || attached.world !== world,
  )
  return worlds.length === (document.worlds ?? NONE).length ? document : withWorlds(document, worlds)
}

/** Puts a World somewhere in the graph. */
export function placeWorld(
  document: StudioDocument,
  of: string,
  world: string,
  { x, y }: Point,
): StudioDocument {
  return change(document, of, world, (attached) => ({ ...attached, place: { x, y } }))
}

/** Feeds a slot of a World with a connector; an empty name leaves it to the World's own. */
export function feedSlot(
  document: StudioDocument,
  of: string,
  world: string,
  choice: SlotChoice,
): StudioDocument {
  return change(document, of, world, ({ slots = [], ...attached }) => {
    const next = withChoice(slots, choice)
    return { ...attached, ...(next.length > 0 && { slots: next }) }
  })
}

/** Brings the Worlds of a connector back beside it. */
export function forgetWorldPlaces(document: StudioDocument, of: string): StudioDocument {
  if (worldsOf(document, of).every(({ place }) => place === undefined)) return document
  const worlds = (document.worlds ?? NONE).map((attached) => {
    if (attached.of !== of) return attached
    const { place: _place, ...rest } = attached
    return rest
  })
  return withWorlds(document, worlds)
}

/** Removes Worlds of connectors that do not exist, duplicates, and those beyond the maximum. */
export function normaliseWorlds(
  worlds: readonly AttachedWorld[],
  exists: (of: string) => boolean,
): readonly AttachedWorld[] {
  const counts = new Map<string, number>()
  const single = new Map(worlds.map((attached) => [keyOf(attached), attached]))
  return [...single.values()].filter(({ of }) => {
    const count = (counts.get(of) ?? 0) + 1
    counts.set(of, count)
    return count <= MAX_ATTACHED && exists(of)
  })
}

/** Predicate for `tidyWorlds`: published connectors, and entries with these ids. */
export function existsAmong(ids: ReadonlySet<string>): (of: string) => boolean {
  return (of) => !of.startsWith('entry/') || ids.has(of.slice('entry/'.length))
}

/** Three-way merge: attached by either side, detached by neither. */
export function mergeWorlds(
  base: readonly AttachedWorld[] = NONE,
  mine: readonly AttachedWorld[] = NONE,
  theirs: readonly AttachedWorld[] = NONE,
): readonly AttachedWorld[] {
  const [old, other] = [byKey(base), byKey(theirs)]
  const here = byKey(mine)
  const keptWorlds = mine.flatMap((attached) => {
    const key = keyOf(attached)
    const [before, beside] = [old.get(key), other.get(key)]
    if (beside === undefined) return before === undefined ? [attached] : []
    // What was changed here stays; else what was changed there is taken.
    return [same(before, attached) ? beside : attached]
  })
  const added = theirs.filter((attached) => !here.has(keyOf(attached)) && !old.has(keyOf(attached)))
  return [...keptWorlds, ...added]
}

/** A document with these Worlds, and without the field where there are none. */
export function withWorlds(document: StudioDocument, worlds: readonly AttachedWorld[]): StudioDocument {
  const { worlds: _worlds, ...rest } = document
  return worlds.length === 0 ? rest : { ...rest, worlds }
}

function change(
  document: StudioDocument,
  of: string,
  world: string,
  how: (attached: AttachedWorld) => AttachedWorld,
): StudioDocument {
  if (!worldsOf(document, of).some((attached) => attached.world === world)) return document
  const worlds = (document.worlds ?? NONE).map((attached) =>
    attached.of === of && attached.world === world ? how(attached) : attached,
  )
  return withWorlds(document, worlds)
}

function byKey(worlds: readonly AttachedWorld[]): ReadonlyMap<string, AttachedWorld> {
  return new Map(worlds.map((attached) => [keyOf(attached), attached]))
}

function keyOf({ of, world }: AttachedWorld): string {
  return `${world} ${of}`
}
