import type { Point } from './model/arrange.ts'

/**
 * The node that an arrow key leads to: along a link where there is one, else the nearest in that direction.
 *
 * @returns undefined when there is none.
 */
export function moved(
  key: string,
  from: string,
  links: readonly { readonly from: string; readonly to: string }[],
  places: ReadonlyMap<string, Point>,
): string | undefined {
  const linked =
    key === 'ArrowRight'
      ? links.find((link) => link.from === from && link.to !== from)?.to
      : key === 'ArrowLeft'
        ? links.find((link) => link.to === from && link.from !== from)?.from
        : undefined
  if (linked !== undefined) return linked
  const here = places.get(from)
  if (here === undefined) return undefined
  let best: { readonly node: string; readonly distance: number } | undefined
  for (const [node, { x, y }] of places) {
    const [dx, dy] = [x - here.x, y - here.y]
    const along = { ArrowRight: dx, ArrowLeft: -dx, ArrowDown: dy, ArrowUp: -dy }[key] ?? 0
    if (node === from || along <= 0) continue
    const aside = key === 'ArrowRight' || key === 'ArrowLeft' ? Math.abs(dy) : Math.abs(dx)
    const distance = along + aside * 2
    if (best === undefined || distance < best.distance) best = { node, distance }
  }
  return best?.node
}
