import { Graph, layout } from '@dagrejs/dagre'

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Box {
  readonly key: string
  readonly width: number
  readonly height: number
}

const ACROSS = 110
const DOWN = 36

/** More nodes than this are ranked by a method that costs less and is nearly as good. */
const MANY = 150

/** Lays out everything from left to right: users before what they use. */
export function layOut(
  boxes: readonly Box[],
  links: readonly { readonly from: string; readonly to: string }[],
): ReadonlyMap<string, Point> {
  const graph = new Graph()
  graph.setGraph({
    rankdir: 'LR',
    ranksep: ACROSS,
    nodesep: DOWN,
    ranker: boxes.length > MANY ? 'longest-path' : 'network-simplex',
  })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { key, width, height } of boxes) graph.setNode(key, { width, height })
  for (const { from, to } of links) if (from !== to) graph.setEdge(from, to)
  layout(graph)
  return new Map(
    boxes.map(({ key, width, height }) => {
      const { x, y } = graph.node(key) as Point
      return [key, { x: Math.round(x - width / 2), y: Math.round(y - height / 2) }]
    }),
  )
}

/**
 * Places for everything: known ones stay, new nodes come where a layout would put them beside those that lead to them.
 * Those that nobody placed by hand give way to what has grown.
 *
 * @param known Where nodes are.
 * @param byHand Keys of those that were put there by hand.
 */
export function arrange(
  boxes: readonly Box[],
  links: readonly { readonly from: string; readonly to: string }[],
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
    const laid = layOut(boxes, links)
    for (const { key } of fresh) {
      const at = laid.get(key)!
      const neighbour =
        links.find(({ from, to }) => to === key && known.has(from))?.from ??
        links.find(({ from, to }) => from === key && known.has(to))?.to
      const [stays, was] = [neighbour && known.get(neighbour), neighbour && laid.get(neighbour)]
      places.set(key, stays && was ? { x: at.x + stays.x - was.x, y: at.y + stays.y - was.y } : at)
    }
  }
  return settled(boxes, places, byHand)
}

/** Pushes down what lies under something above it. */
function settled(
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
