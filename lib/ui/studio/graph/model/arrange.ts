import { Graph, layout } from '@dagrejs/dagre'
import type { Point } from '#lib/studio/document/types.ts'

export interface Box {
  readonly key: string
  readonly width: number
  readonly height: number
}

/** A link of a layout. */
export interface LayoutLink {
  readonly key: string
  readonly from: string
  readonly to: string
  /** Distance of its start below the top of `from`. */
  readonly drop: number
}

const ACROSS = 110
const DOWN = 36

/** More nodes than this are ranked by a method that costs less and is nearly as good. */
const MANY = 150

/** A rank higher than this is split into columns. */
const HIGH = 2400
/** Width to height of what many nodes are laid out in. */
const ASPECT = 1.6

/** Layout from left to right: users before what they use, each near the lines that link to it. */
export function layOut(
  boxes: readonly Box[],
  layoutLinks: readonly LayoutLink[],
): ReadonlyMap<string, Point> {
  const places = new Map<string, Point>()
  const area = boxes.reduce((sum, { width, height }) => sum + (width + ACROSS) * (height + DOWN), 0)
  const high = Math.max(HIGH, Math.sqrt(area / ASPECT))
  let x = 0
  for (const rank of ranksOf(boxes, layoutLinks)) {
    const targetY = new Map(rank.map((box) => [box.key, wantedY(box, layoutLinks, places)]))
    const sorted = [...rank].sort((a, b) => targetY.get(a.key)! - targetY.get(b.key)! || a.y - b.y)
    const columns = columnsOf(sorted, high)
    if (columns.length > 1) {
      // Together they are one block around the same middle.
      const middle = sorted.reduce((sum, { key }) => sum + targetY.get(key)!, 0) / sorted.length
      for (const { key } of sorted) targetY.set(key, middle)
    }
    for (const column of columns) {
      const width = Math.max(...column.map((box) => box.width))
      for (const [key, y] of stacked(column, targetY)) places.set(key, { x: Math.round(x), y: Math.round(y) })
      x += width + (column === columns.at(-1) ? ACROSS : DOWN * 2)
    }
  }
  return places
}

type Ranked = Box & Point

/** Nodes by their distance from what nothing leads to, in an order with few crossings. */
function ranksOf(boxes: readonly Box[], layoutLinks: readonly LayoutLink[]): readonly (readonly Ranked[])[] {
  const graph = new Graph()
  graph.setGraph({
    rankdir: 'LR',
    ranksep: ACROSS,
    nodesep: DOWN,
    ranker: boxes.length > MANY ? 'longest-path' : 'network-simplex',
  })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { key, width, height } of boxes) graph.setNode(key, { width, height })
  for (const { from, to } of layoutLinks) if (from !== to) graph.setEdge(from, to)
  layout(graph)
  const ranks = new Map<number, Ranked[]>()
  for (const box of boxes) {
    const { x, y } = graph.node(box.key) as Point
    const at = Math.round(x)
    ranks.set(at, [...(ranks.get(at) ?? []), { ...box, x, y: y - box.height / 2 }])
  }
  return [...ranks].sort(([a], [b]) => a - b).map(([, rank]) => rank)
}

/** The height at which the links to a node would be straight. */
function wantedY(
  box: Ranked,
  layoutLinks: readonly LayoutLink[],
  places: ReadonlyMap<string, Point>,
): number {
  const from = layoutLinks.flatMap((bond) => {
    const at = bond.to === box.key ? places.get(bond.from) : undefined
    return at ? [at.y + bond.drop] : []
  })
  return from.length === 0 ? box.y : from.reduce((sum, y) => sum + y, 0) / from.length - 24
}

function columnsOf(rank: readonly Ranked[], high: number): readonly (readonly Ranked[])[] {
  const columns: Ranked[][] = [[]]
  let height = 0
  for (const box of rank) {
    if (height > 0 && height + box.height > high) {
      columns.push([])
      height = 0
    }
    columns.at(-1)!.push(box)
    height += box.height + DOWN
  }
  return columns
}

/** One below the other, all together as near to where they want to be as they can. */
function stacked(column: readonly Ranked[], targetY: ReadonlyMap<string, number>): [string, number][] {
  let bottom = Number.NEGATIVE_INFINITY
  let off = 0
  const spots = column.map(({ key, height }): [string, number] => {
    const y = Math.max(targetY.get(key)!, bottom + DOWN)
    bottom = y + height
    off += targetY.get(key)! - y
    return [key, y]
  })
  return spots.map(([key, y]) => [key, y + off / column.length])
}

/**
 * Places for all boxes: known ones stay, new ones are laid out beside their neighbours; those not placed by hand move
 * down where boxes have grown.
 *
 * @param known Present places.
 * @param byHand Keys of nodes moved by hand.
 */
export function arrange(
  boxes: readonly Box[],
  layoutLinks: readonly LayoutLink[],
  known: ReadonlyMap<string, Point>,
  byHand: ReadonlySet<string>,
): ReadonlyMap<string, Point> {
  const fresh = boxes.filter(({ key }) => !known.has(key))
  const places = new Map<string, Point>()
  for (const { key } of boxes) {
    const place = known.get(key)
    if (place) places.set(key, place)
  }
  if (fresh.length > 0) {
    const laid = layOut(boxes, layoutLinks)
    for (const { key } of fresh) {
      const at = laid.get(key)!
      const neighbour =
        layoutLinks.find(({ from, to }) => to === key && known.has(from))?.from ??
        layoutLinks.find(({ from, to }) => from === key && known.has(to))?.to
      const [stays, was] = [neighbour && known.get(neighbour), neighbour && laid.get(neighbour)]
      places.set(key, stays && was ? { x: at.x + stays.x - was.x, y: at.y + stays.y - was.y } : at)
    }
  }
  return withoutOverlap(boxes, places, byHand)
}

/** Pushes down what lies under something above it. */
function withoutOverlap(
  boxes: readonly Box[],
  places: ReadonlyMap<string, Point>,
  byHand: ReadonlySet<string>,
): ReadonlyMap<string, Point> {
  const done: (Box & Point)[] = boxes
    .filter(({ key }) => byHand.has(key))
    .map((box) => ({ ...box, ...places.get(box.key)! }))
  const moved = new Map(places)
  const rest = boxes
    .filter(({ key }) => !byHand.has(key))
    .map((box) => ({ ...box, ...places.get(box.key)! }))
    .sort((a, b) => a.y - b.y)
  for (const box of rest) {
    const beside = done.filter((other) => other.x < box.x + box.width && box.x < other.x + other.width)
    let y = box.y
    for (let met = true; met; ) {
      met = false
      for (const other of beside) {
        if (other.y < y + box.height + DOWN / 2 && y < other.y + other.height + DOWN / 2) {
          y = other.y + other.height + DOWN / 2
          met = true
        }
      }
    }
    if (y !== box.y) moved.set(box.key, { x: box.x, y })
    done.push({ ...box, y })
  }
  return moved
}
