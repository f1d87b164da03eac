import type { Point } from '../../document/types.ts'
import type { Box } from './arrange.ts'

export const MIN_ZOOM = 0.06
/** Pixels around everything. */
export const MARGIN = 24
/** Room at the top for the tools of the canvas. */
export const TOP = 60

interface Size {
  readonly width: number
  readonly height: number
}

/** Offset in pixels and zoom of a canvas. */
export interface Viewport extends Point {
  readonly zoom: number
}

/**
 * The viewport that shows all nodes, at most at their own size. Where one would lie under the overview map in the lower
 * right corner, all move beside the map or above it, whichever shows them larger.
 *
 * @param map Of the overview map with its margins; undefined while there is none.
 */
export function fitAll(
  boxes: readonly Box[],
  places: ReadonlyMap<string, Point>,
  canvas: Size,
  map: Size | undefined,
): Viewport {
  const sides = boxes.flatMap(({ key, width, height }) => {
    const at = places.get(key)
    return at ? [{ left: at.x, right: at.x + width, top: at.y, bottom: at.y + height }] : []
  })
  const left = Math.min(...sides.map((side) => side.left))
  const top = Math.min(...sides.map((side) => side.top))
  const width = Math.max(...sides.map((side) => side.right)) - left
  const height = Math.max(...sides.map((side) => side.bottom)) - top
  const within = (room: Size): Viewport => {
    const inner = { width: room.width - 2 * MARGIN, height: room.height - TOP - MARGIN }
    const zoom = Math.max(MIN_ZOOM, Math.min(1, inner.width / width, inner.height / height))
    return {
      x: MARGIN + (inner.width - width * zoom) / 2 - left * zoom,
      y: TOP + (inner.height - height * zoom) / 2 - top * zoom,
      zoom,
    }
  }
  const all = within(canvas)
  const isUnderMap = sides.some(
    ({ right, bottom }) =>
      map !== undefined &&
      right * all.zoom + all.x > canvas.width - map.width &&
      bottom * all.zoom + all.y > canvas.height - map.height,
  )
  if (map === undefined || !isUnderMap) return all
  const beside = within({ width: canvas.width - map.width, height: canvas.height })
  const above = within({ width: canvas.width, height: canvas.height - map.height })
  return beside.zoom > above.zoom ? beside : above
}
