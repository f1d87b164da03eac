import type { DependencyGraph } from '../../../lib/entities/dependency-graph.ts'
import type { EntityKind } from '../../../lib/protocol/entity.ts'

/** A box of the drawing, in pixels from the top left. */
export interface Box {
  readonly id: string
  readonly kind: EntityKind | 'more'
  /** Whose page the box leads to: the thing itself, or for `more` the connector that names them. */
  readonly name: string
  /** What is written in the box. */
  readonly label: string
  readonly x: number
  readonly y: number
  readonly width: number
}

/** Routes an edge from box to box, level through the columns between them, where `lanes` avoids other boxes. */
export interface Line {
  readonly from: Box
  readonly to: Box
  readonly lanes: readonly Lane[]
}

interface Lane {
  readonly x: number
  /** Of the line itself. */
  readonly y: number
  readonly width: number
}

export interface GraphLayout {
  /** The root first. */
  readonly boxes: readonly Box[]
  readonly lines: readonly Line[]
  readonly width: number
  readonly height: number
}

export const BOX_HEIGHT = 34
const GAP = 10
const BETWEEN_COLUMNS = 56
/** Room for the kind's mark and the margins. */
const AROUND_LABEL = 52
/** Advance of the mono face at the size it is set in. */
const CHARACTER = 8.4
const LONGEST_LABEL = 26

/** Height of the lane that a line takes through a column. */
const LANE_HEIGHT = 2

/** What takes a place in a column: a box, or the lane of a line that leads past. */
interface Item {
  readonly id: string
  readonly height: number
  /** What stands at the other end of the lines that come from the left. */
  readonly users: readonly string[]
  readonly column: number
}

interface BoxItem extends Item {
  readonly kind: Box['kind']
  readonly name: string
  readonly label: string
}

/**
 * Places the parts of a connector in columns, each part to the right of everything that names it, near the middle of
 * those; omitted parts have a separate box beside the connector that names them.
 */
export function layoutGraph(graph: DependencyGraph): GraphLayout {
  const found = boxItems(graph)
  const { items, ways } = withLanes(found)
  const columns: Item[][] = []
  for (const item of items) {
    columns[item.column] ??= []
    columns[item.column]?.push(item)
  }
  const tops = new Map<string, number>()
  const middles = new Map<string, number>()
  for (const column of columns) placeColumn(column, middles, tops)

  const shift = -Math.min(...tops.values())
  const labels = new Map(found.map(({ id, label }) => [id, label]))
  const edges: { readonly x: number; readonly width: number }[] = []
  let x = 0
  for (const column of columns) {
    const longest = Math.max(0, ...column.map(({ id }) => labels.get(id)?.length ?? 0))
    const width = Math.ceil(longest * CHARACTER) + AROUND_LABEL
    edges.push({ x, width })
    x += width + BETWEEN_COLUMNS
  }
  const placed = ({ id, column }: Item) => ({ ...edges[column]!, y: (tops.get(id) ?? 0) + shift })
  const boxes = new Map<string, Box>(
    found.map((item) => {
      const { id, kind, name, label } = item
      return [id, { id, kind, name, label, ...placed(item) }]
    }),
  )
  const lines = ways.map(({ from, to, lanes }) => ({
    from: boxes.get(from) as Box,
    to: boxes.get(to) as Box,
    lanes: lanes.map((lane) => {
      const { y, ...rest } = placed(lane)
      return { ...rest, y: y + LANE_HEIGHT / 2 }
    }),
  }))
  return {
    boxes: [...boxes.values()],
    lines,
    width: x - BETWEEN_COLUMNS,
    height: Math.max(...items.map(({ id, height }) => (tops.get(id) ?? 0) + height)) + shift,
  }
}

function boxItems({ nodes }: DependencyGraph): BoxItem[] {
  const users = new Map<string, string[]>(nodes.map(({ id }) => [id, []]))
  for (const { id, uses } of nodes) for (const { to } of uses) users.get(to)?.push(id)
  const columns = new Map<string, number>()
  const columnOf = (id: string): number => {
    const known = columns.get(id)
    if (known !== undefined) return known
    // Ends, because nothing is made of itself; no deeper than the graph was followed.
    const column = Math.max(-1, ...(users.get(id) ?? []).map(columnOf)) + 1
    columns.set(id, column)
    return column
  }
  const height = BOX_HEIGHT
  return nodes.flatMap(({ id, kind, name, more }): BoxItem[] => {
    const column = columnOf(id)
    const box = { id, kind, name, label: shortened(name), users: users.get(id) ?? [], column, height }
    if (more === 0) return [box]
    const rest = { id: `more/${id}`, kind: 'more', name, label: `${more} more` } as const
    return [box, { ...rest, users: [id], column: column + 1, height }]
  })
}

interface Way {
  readonly from: string
  readonly to: string
  readonly lanes: readonly Item[]
}

/** Assigns every edge a lane in each column that it passes. */
function withLanes(boxes: readonly BoxItem[]): { items: readonly Item[]; ways: readonly Way[] } {
  const columns = new Map(boxes.map(({ id, column }) => [id, column]))
  const items: Item[] = []
  const ways: Way[] = []
  for (const box of boxes) {
    const ends: string[] = []
    for (const from of box.users) {
      const lanes: Item[] = []
      let end = from
      for (let column = 1 + (columns.get(from) ?? 0); column < box.column; column++) {
        const id = `lane/${from}/${box.id}/${column}`
        lanes.push({ id, height: LANE_HEIGHT, users: [end], column })
        end = id
      }
      ends.push(end)
      items.push(...lanes)
      ways.push({ from, to: box.id, lanes })
    }
    items.push({ id: box.id, height: box.height, users: ends, column: box.column })
  }
  return { items, ways }
}

/** One below the other, in the order of where their users are, the column as a whole level with those. */
function placeColumn(column: readonly Item[], middles: Map<string, number>, tops: Map<string, number>): void {
  const wanted = column
    .map((item) => ({ item, at: mean(item.users.map((user) => middles.get(user) ?? 0)) }))
    .sort((a, b) => a.at - b.at)
  let next = Number.NEGATIVE_INFINITY
  const placed = wanted.map(({ item, at }) => {
    const y = Math.max(next, at - item.height / 2)
    next = y + item.height + GAP
    return { item, at, y }
  })
  const drift = mean(placed.map(({ item, at, y }) => y + item.height / 2 - at))
  for (const { item, y } of placed) {
    middles.set(item.id, y + item.height / 2 - drift)
    tops.set(item.id, y - drift)
  }
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Both ends of a long name distinguish it from its neighbours. */
function shortened(name: string): string {
  return name.length <= LONGEST_LABEL ? name : `${name.slice(0, LONGEST_LABEL - 9)}…${name.slice(-8)}`
}
