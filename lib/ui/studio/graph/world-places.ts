import type { AttachedWorld } from '../document/types.ts'
import type { Box, Point } from './model/arrange.ts'
import { NODE_WIDTH } from './model/sizes.ts'

/** Pixels of the canvas; the height is that of a World with one line of words. */
export const WORLD_SIZE = { width: NODE_WIDTH, height: 380 }
const BELOW = 56
const BESIDE = 36

/** Where Worlds are: put there by hand, else under their connector and from there to the left, where nothing else is. */
export function worldPlaces(
  attached: readonly AttachedWorld[],
  root: Rect | undefined,
): ReadonlyMap<string, Point> {
  if (root === undefined) return new Map()
  return new Map(
    attached.map(({ world, place }, index): [string, Point] => [
      world,
      place ?? { x: root.x - index * (WORLD_SIZE.width + BESIDE), y: root.y + root.height + BELOW },
    ]),
  )
}

/** A connector on the canvas. */
export interface Rect extends Point {
  readonly height: number
}

/** What they take of the canvas. */
export function worldBoxes(attached: readonly AttachedWorld[]): readonly Box[] {
  return attached.map(({ world }) => ({ key: world, ...WORLD_SIZE }))
}
