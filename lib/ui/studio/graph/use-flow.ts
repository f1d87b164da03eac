'use client'

import { Position } from '@xyflow/react'
import { useMemo, useRef } from 'react'
import type { Point } from '#lib/studio/document/types.ts'
import type { FlowNode } from './connector-node.tsx'
import type { FlowEdge } from './link-edge.tsx'
import type { Graph, GraphNode } from './model/graph-of.ts'
import { handleOf } from './model/lines.ts'
import { HEAD_HEIGHT, heightOfNode, NODE_WIDTH, startsOf } from './model/sizes.ts'
import type { Choice } from './use-choice.ts'

const HANDLE = { width: 24, height: 24 }

interface Drawn<T> {
  readonly all: T[]
  readonly byId: ReadonlyMap<string, T>
}

/** The graph as the canvas takes it. What did not change is the same object as before, so that it is not drawn again. */
export function useFlow(
  graph: Graph,
  places: ReadonlyMap<string, Point>,
  dragged: ReadonlyMap<string, Point>,
  choice: Choice,
) {
  const before = useRef<Drawn<FlowNode>>({ all: [], byId: new Map() })
  const nodes = useMemo(() => {
    const all = new Set(choice.nodes)
    const next = graph.nodes.map((node) => {
      const position = dragged.get(node.key) ?? places.get(node.key) ?? { x: 0, y: 0 }
      const selected = all.has(node.key)
      const chosen = node.key === choice.nodes.at(-1)
      const line = chosen ? choice.line : undefined
      const old = before.current.byId.get(node.key)
      const { data } = old ?? {}
      const sameData = data?.node === node && data.chosen === chosen && data.line === line
      const samePlace = old?.position.x === position.x && old.position.y === position.y
      if (old && sameData && samePlace && old.selected === selected) return old
      return { ...frameOf(node), data: sameData ? data : { node, chosen, line }, position, selected }
    })
    before.current = drawn(before.current, next)
    return before.current.all
  }, [graph.nodes, places, dragged, choice])

  const names = useMemo(() => new Map(graph.nodes.map(({ key, name }) => [key, name])), [graph.nodes])
  const beforeEdges = useRef<Drawn<FlowEdge>>({ all: [], byId: new Map() })
  const edges = useMemo(() => {
    const next = graph.links.map((link): FlowEdge => {
      const old = beforeEdges.current.byId.get(link.key)
      const selected = choice.line === link.line && choice.nodes.at(-1) === link.from
      if (old?.data?.link === link && old.selected === selected) return old
      const what = link.slot === undefined ? 'plays' : `has in place of part ${link.slot + 1}`
      return {
        id: link.key,
        type: 'link',
        source: link.from,
        sourceHandle: handleOf(link.line),
        target: link.to,
        selected,
        reconnectable: link.editable ? 'target' : false,
        ariaLabel: `Voice ${link.index + 1} of ${names.get(link.from)} ${what} ${names.get(link.to)}`,
        data: { link },
      }
    })
    beforeEdges.current = drawn(beforeEdges.current, next)
    return beforeEdges.current.all
  }, [graph.links, names, choice])

  return { nodes, edges }
}

/** The same list as before when all of it is. */
function drawn<T extends { readonly id: string }>(before: Drawn<T>, next: T[]): Drawn<T> {
  const same = next.length === before.all.length && next.every((item, index) => item === before.all[index])
  return same ? before : { all: next, byId: new Map(next.map((item) => [item.id, item])) }
}

/** Size and handles are known in advance, so that React Flow measures nothing. */
function frameOf(node: GraphNode): Omit<FlowNode, 'position' | 'data'> {
  const height = heightOfNode(node)
  return {
    id: node.key,
    type: 'connector',
    width: NODE_WIDTH,
    height,
    measured: { width: NODE_WIDTH, height },
    handles: [
      {
        type: 'target',
        position: Position.Left,
        x: -6,
        y: HEAD_HEIGHT / 2 - HANDLE.height / 2,
        ...HANDLE,
      },
      ...startsOf(node).map(({ line, y }) => ({
        id: handleOf(line.key),
        type: 'source' as const,
        position: Position.Right,
        x: NODE_WIDTH - HANDLE.width + 6,
        y: y - HANDLE.height / 2,
        ...HANDLE,
      })),
    ],
  }
}
