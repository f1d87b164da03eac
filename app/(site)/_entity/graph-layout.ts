import { Graph, layout } from '@dagrejs/dagre'
import type { DependencyGraph } from '#lib/core/entities/dependency-graph.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'

/** A box of the drawing, in pixels from the top left. */
export interface Box {
  readonly id: string
  readonly kind: EntityKind | 'more'
  /** Whose page the box leads to: the thing itself, or for `more` the connector that names them. */
  readonly name: string
  /** Text in the box. */
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
  /** Vertical place of the line itself. */
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

interface Point {
  readonly x: number
  readonly y: number
}

/**
 * Places the parts of a connector in columns, each part to the right of everything that names it; omitted parts have a
 * separate box beside the connector that names them.
 */
export function layoutGraph({ nodes }: DependencyGraph): GraphLayout {
  const graph = new Graph()
  graph.setGraph({ rankdir: 'LR', ranksep: BETWEEN_COLUMNS, nodesep: GAP, edgesep: GAP })
  graph.setDefaultEdgeLabel(() => ({}))
  const items = nodes.flatMap(({ id, kind, name, more }): Omit<Box, keyof Point | 'width'>[] => {
    const box = { id, kind, name, label: shortened(name) }
    return more === 0 ? [box] : [box, { id: `more/${id}`, kind: 'more', name, label: `${more} more` }]
  })
  for (const { id, label } of items)
    graph.setNode(id, { width: Math.ceil(label.length * CHARACTER) + AROUND_LABEL, height: BOX_HEIGHT })
  for (const { id, uses, more } of nodes) {
    for (const { to } of uses) graph.setEdge(id, to)
    if (more > 0) graph.setEdge(id, `more/${id}`)
  }
  layout(graph)

  // The boxes of a column share their middle, and are all as wide as the widest.
  const columns = new Map<number, number>()
  const placed = items.map((item) => ({
    item,
    at: graph.node(item.id) as Point & { readonly width: number },
  }))
  for (const { at } of placed) {
    const middle = Math.round(at.x)
    columns.set(middle, Math.max(columns.get(middle) ?? 0, at.width))
  }
  const across = (x: number) => {
    const width = columns.get(Math.round(x)) ?? 0
    return { x: x - width / 2, width }
  }
  const edges = graph.edges().map((edge) => {
    const { points } = graph.edge(edge) as { readonly points: readonly Point[] }
    return { edge, passed: points.slice(1, -1).filter(({ x }) => columns.has(Math.round(x))) }
  })
  const { width = 0, height = 0 } = graph.graph() as { readonly width?: number; readonly height?: number }
  // The layout measures boxes only; lines may run above or below all of them.
  const ends = edges.flatMap(({ passed }) => passed.map(({ y }) => y))
  const top = Math.min(0, ...ends)
  const boxes = new Map(
    placed.map(({ item, at }): [string, Box] => [
      item.id,
      { ...item, ...across(at.x), y: at.y - BOX_HEIGHT / 2 - top },
    ]),
  )
  const lines = edges.map(
    ({ edge, passed }): Line => ({
      from: boxes.get(edge.v) as Box,
      to: boxes.get(edge.w) as Box,
      lanes: passed.map(({ x, y }) => ({ ...across(x), y: y - top })),
    }),
  )
  return { boxes: [...boxes.values()], lines, width, height: Math.max(height, ...ends) - top }
}

/** Both ends of a long name distinguish it from its neighbours. */
function shortened(name: string): string {
  return name.length <= LONGEST_LABEL ? name : `${name.slice(0, LONGEST_LABEL - 9)}…${name.slice(-8)}`
}
