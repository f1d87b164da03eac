import type { EntityKind } from '../../../lib/domain/entity.ts'
import type { DependencyGraph } from '../../../lib/registry/dependency-graph.ts'

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

export interface Line {
  readonly from: Box
  readonly to: Box
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
const LONGEST_LABEL = 20

interface Item {
  readonly id: string
  readonly kind: Box['kind']
  readonly name: string
  readonly label: string
  readonly users: string[]
  column: number
}

/**
 * Places what a connector is made of in columns, each part to the right of everything that names it, near the middle of
 * those; what was left out has a box of its own beside the connector that names it.
 */
export function layoutGraph(graph: DependencyGraph): GraphLayout {
  const items = itemsOf(graph)
  const columns: Item[][] = []
  for (const item of items.values()) {
    columns[item.column] ??= []
    columns[item.column]?.push(item)
  }
  const middles = new Map<string, number>()
  const tops = new Map<string, number>()
  for (const column of columns) placeColumn(column, middles, tops)

  const shift = -Math.min(...tops.values())
  const boxes = new Map<string, Box>()
  let x = 0
  for (const column of columns) {
    const width = Math.max(...column.map(({ label }) => Math.ceil(label.length * CHARACTER) + AROUND_LABEL))
    for (const { id, kind, name, label } of column) {
      boxes.set(id, { id, kind, name, label, x, y: (tops.get(id) ?? 0) + shift, width })
    }
    x += width + BETWEEN_COLUMNS
  }
  const lines = [...items.values()].flatMap(({ id, users }) =>
    users.map((user) => ({ from: boxes.get(user) as Box, to: boxes.get(id) as Box })),
  )
  return {
    boxes: [...items.keys()].map((id) => boxes.get(id) as Box),
    lines,
    width: x - BETWEEN_COLUMNS,
    height: Math.max(...tops.values()) + shift + BOX_HEIGHT,
  }
}

function itemsOf({ nodes }: DependencyGraph): Map<string, Item> {
  const items = new Map<string, Item>(
    nodes.map(({ id, kind, name }) => [id, { id, kind, name, label: shortened(name), users: [], column: 0 }]),
  )
  for (const { id, uses } of nodes) for (const { to } of uses) items.get(to)?.users.push(id)
  // Sweeps until nothing moves: no more often than the graph is deep, for it has no cycles.
  for (let moved = true; moved; ) {
    moved = false
    for (const item of items.values()) {
      const column = Math.max(0, ...item.users.map((user) => 1 + (items.get(user)?.column ?? 0)))
      if (column !== item.column) moved = true
      item.column = column
    }
  }
  for (const { id, name, more } of nodes) {
    if (more === 0) continue
    const column = 1 + (items.get(id)?.column ?? 0)
    items.set(`more/${id}`, {
      id: `more/${id}`,
      kind: 'more',
      name,
      label: `${more} more`,
      users: [id],
      column,
    })
  }
  return items
}

/** One below the other, in the order of where their users are, the column as a whole level with those. */
function placeColumn(column: readonly Item[], middles: Map<string, number>, tops: Map<string, number>): void {
  const wanted = column
    .map((item) => ({ item, at: mean(item.users.map((user) => middles.get(user) ?? 0)) }))
    .sort((a, b) => a.at - b.at)
  let next = Number.NEGATIVE_INFINITY
  const placed = wanted.map(({ item, at }) => {
    const y = Math.max(next, at)
    next = y + BOX_HEIGHT + GAP
    return { item, at, y }
  })
  const drift = mean(placed.map(({ at, y }) => y - at))
  for (const { item, y } of placed) {
    middles.set(item.id, y - drift)
    tops.set(item.id, y - drift)
  }
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Both ends of a long name tell it apart from its neighbours. */
function shortened(name: string): string {
  return name.length <= LONGEST_LABEL ? name : `${name.slice(0, LONGEST_LABEL - 7)}…${name.slice(-6)}`
}
