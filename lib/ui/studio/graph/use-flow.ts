'use client'

import { Position } from '@xyflow/react'
import { useMemo, useRef } from 'react'
import type { FlowNode } from './connector-node.tsx'
import type { FlowEdge } from './link-edge.tsx'
import type { Point } from './model/arrange.ts'
import type { Graph, GraphNode } from './model/graph-of.ts'
import { HEAD_HEIGHT, heightOfNode, NODE_WIDTH, startsOf } from './model/sizes.ts'
import type { Choice } from './use-choice.ts'

const HANDLE = { width: 24, height: 24 }

/** The graph as the canvas draws it. What did not change is the same object as before, so that it is not drawn again. */
export function useFlow(
  graph: Graph,
  places: ReadonlyMap<string, Point>,
  dragged: ReadonlyMap<string, Point>,
  choice: Choice,
) {
  const before = useRef<ReadonlyMap<string, FlowNode>>(new Map())
  const nodes = useMemo(() => {
    const chosen = new Set(choice.nodes)
    const current = choice.nodes.at(-1)
    const next = graph.nodes.map((node) => {
      const position = dragged.get(node.key) ?? places.get(node.key) ?? { x: 0, y: 0 }
      const isCurrent = node.key === current
      const line = isCurrent ? choice.line : undefined
      const old = before.current.get(node.key)
      const sameData = old?.data.node === node && old.data.chosen === isCurrent && old.data.line === line
      if (
        sameData &&
        old.selected === chosen.has(node.key) &&
        old.position.x === position.x &&
        old.position.y === position.y
      ) {
        return old
      }
      return {
        ...flowNode(node, old),
        position,
        selected: chosen.has(node.key),
        data: sameData ? old.data : { node, chosen: isCurrent, line },
      }
    })
    before.current = new Map(next.map((node) => [node.id, node]))
    return next
  }, [graph.nodes, places, dragged, choice])

  const names = useMemo(() => new Map(graph.nodes.map(({ key, name }) => [key, name])), [graph.nodes])
  const beforeEdges = useRef<ReadonlyMap<string, FlowEdge>>(new Map())
  const edges = useMemo(() => {
    const next = graph.links.map((link): FlowEdge => {
      const old = beforeEdges.current.get(link.key)
      const selected = choice.line === link.line && choice.nodes.at(-1) === link.from
      if (old?.data?.link === link && old.selected === selected) return old
      const what = link.slot === undefined ? 'leads to' : `fills slot ${link.slot} with`
      return {
        id: link.key,
        type: 'link',
        source: link.from,
        sourceHandle: link.line,
        target: link.to,
        selected,
        reconnectable: link.editable ? 'target' : false,
        ariaLabel: `Dimension ${link.index} of ${names.get(link.from)} ${what} ${names.get(link.to)}`,
        data: { link },
      }
    })
    beforeEdges.current = new Map(next.map((edge) => [edge.id, edge]))
    return next
  }, [graph.links, names, choice])

  return { nodes, edges }
}

/** Size and handles are said in advance, so that nothing has to be drawn to be known. */
function flowNode(node: GraphNode, old: FlowNode | undefined): Omit<FlowNode, 'position' | 'data'> {
  const height = heightOfNode(node)
  if (old?.data.node === node) {
    const { id, type, width, measured, handles } = old
    return { id, type, width: width!, height, measured: measured!, handles: handles! } as Omit<
      FlowNode,
      'position' | 'data'
    >
  }
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
        id: line.key,
        type: 'source' as const,
        position: Position.Right,
        x: NODE_WIDTH - HANDLE.width + 6,
        y: y - HANDLE.height / 2,
        ...HANDLE,
      })),
    ],
  }
}
