import type { AttachedWorld } from '../document/types.ts'
import type { Box, Point } from './model/arrange.ts'

/** Pixels of the canvas; the height is that of a World with one line of words. */
export const WORLD_SIZE = { width: 400, height: 420 }
const GAP = 110
const BETWEEN = 36

/** Where Worlds are: put there by hand, else one below the other at the left of their connector. */
export function worldPlaces(
  attached: readonly AttachedWorld[],
  root: Point | undefined,
): ReadonlyMap<string, Point> {
  if (root === undefined) return new Map()
  return new Map(
    attached.map(({ world, place }, index): [string, Point] => [
      world,
      place ?? { x: root.x - WORLD_SIZE.width - GAP, y: root.y + index * (WORLD_SIZE.height + BETWEEN) },
    ]),
  )
}

/** What they take of the canvas. */
export function worldBoxes(attached: readonly AttachedWorld[]): readonly Box[] {
  return attached.map(({ world }) => ({ key: world, ...WORLD_SIZE }))
}
