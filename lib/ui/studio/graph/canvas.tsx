'use client'

import {
  Background,
  BackgroundVariant,
  type Connection,
  type EdgeTypes,
  type FinalConnectionState,
  MiniMap,
  type NodeTypes,
  type OnNodesChange,
  Panel,
  ReactFlow,
  useReactFlow,
  useStore,
} from '@xyflow/react'
import { Focus, LayoutDashboard, Minus, Plus } from 'lucide-react'
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { Point } from '#lib/studio/document/types.ts'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'
import { ConnectorNode, type FlowNode } from './connector-node.tsx'
import { DetailContext, detailAt } from './graph-context.ts'
import { type FlowEdge, LinkEdge } from './link-edge.tsx'
import type { Graph } from './model/graph-of.ts'
import { lineOf } from './model/lines.ts'
import type { Choice } from './use-choice.ts'
import { useFlow } from './use-flow.ts'
import { MIN_ZOOM } from './use-view.ts'

const NODE_TYPES: NodeTypes = { connector: ConnectorNode }
const EDGE_TYPES: EdgeTypes = { link: LinkEdge }
const PRO_OPTIONS = { hideAttribution: true }
/** Links are made on drop, in `onConnectEnd`. */
function nothing(): void {}
const STILL: ReadonlyMap<string, Point> = new Map()

/** More nodes than this are worth a map of their own. */
const MAP_FROM = 8

/** The canvas: nodes and links, dragging nodes, drawing links. */
export function Canvas({
  id,
  label,
  graph,
  places,
  choice,
  editable,
  onChoose,
  onMove,
  onInit,
  onFit,
  onZoom,
  onLayOut,
  onEnter,
  onLink,
  onDrop,
  onUnlink,
  onChooseLink,
  beside,
}: {
  id: string
  label: string
  graph: Graph
  places: ReadonlyMap<string, Point>
  choice: Choice
  /** Whether links can be drawn. */
  editable: boolean
  onChoose: (nodes: readonly string[], line: string | undefined) => void
  onMove: (places: ReadonlyMap<string, Point>) => void
  onInit: () => void
  onFit: () => void
  onZoom: (by: number) => void
  onLayOut: () => void
  /** The focus is to go into the graph. */
  onEnter: () => void
  onLink: (line: string, node: string) => void
  /** Called when a link is dropped on the empty canvas. */
  onDrop: (line: string, at: Point) => void
  onUnlink: (line: string) => void
  onChooseLink: (node: string, line: string) => void
  /** More on the canvas, which may want to know where nodes are while they move. */
  beside: (placeOf: (node: string) => Point | undefined) => ReactNode
}) {
  const flow = useReactFlow()
  const [dragged, setDragged] = useState(STILL)
  const relinked = useRef(false)
  const { nodes, edges } = useFlow(graph, places, dragged, choice)

  const onNodesChange = useStableCallback<Parameters<OnNodesChange<FlowNode>>>((changes) => {
    const spots = changes.flatMap((change): [string, Point][] =>
      change.type === 'position' && change.position && change.dragging ? [[change.id, change.position]] : [],
    )
    if (spots.length > 0) setDragged((before) => new Map([...before, ...spots]))
    const picks = changes.filter((change) => change.type === 'select')
    if (picks.length === 0) return
    const next = new Set(choice.nodes)
    for (const { id: node, selected } of picks) {
      if (selected) next.add(node)
      else next.delete(node)
    }
    // A click on a line has chosen that line already.
    const same = next.size === choice.nodes.length && choice.nodes.every((node) => next.has(node))
    if (!same && next.size > 0) onChoose([...next], undefined)
  })

  const drop = (moved: readonly FlowNode[]) => {
    setDragged(STILL)
    const spots = moved.filter(({ id: node, position }) => {
      const before = places.get(node)
      return before && (before.x !== position.x || before.y !== position.y)
    })
    if (spots.length > 0) onMove(new Map(spots.map(({ id: node, position }) => [node, position])))
  }

  /** The drop target of a link: all of a node counts, not only its handle. */
  const endOf = (event: MouseEvent | TouchEvent, line: string) => {
    const { clientX: x, clientY: y } = 'changedTouches' in event ? event.changedTouches[0]! : event
    const under = document.elementFromPoint(x, y)
    const node = under?.closest('.react-flow__node')?.getAttribute('data-id')
    if (node) onLink(line, node)
    else if (under?.closest('.react-flow')) onDrop(line, flow.screenToFlowPosition({ x, y }))
  }

  const handlers = {
    onNodeDragStop: useStableCallback((_event: unknown, _node: FlowNode, moved: FlowNode[]) => drop(moved)),
    onSelectionDragStop: useStableCallback((_event: unknown, moved: FlowNode[]) => drop(moved)),
    onEdgeClick: useStableCallback((_event: unknown, { source, sourceHandle }: FlowEdge) =>
      onChooseLink(source, lineOf(sourceHandle ?? '')),
    ),
    onConnectEnd: useStableCallback(
      (event: MouseEvent | TouchEvent, { fromHandle }: FinalConnectionState) => {
        if (fromHandle?.id) endOf(event, lineOf(fromHandle.id))
      },
    ),
    onReconnectStart: useStableCallback(() => {
      relinked.current = false
    }),
    onReconnect: useStableCallback((edge: FlowEdge, { target }: Connection) => {
      relinked.current = true
      if (edge.sourceHandle && target !== edge.target) onLink(lineOf(edge.sourceHandle), target)
    }),
    onReconnectEnd: useStableCallback((_event: unknown, { sourceHandle }: FlowEdge) => {
      if (!relinked.current && sourceHandle) onUnlink(lineOf(sourceHandle))
    }),
    onInit: useStableCallback(onInit),
  }

  return (
    <WithDetail>
      <div className="absolute inset-0">
        <ReactFlow<FlowNode, FlowEdge>
          id={id}
          aria-label={label}
          aria-roledescription="graph"
          tabIndex={0}
          onKeyDown={(event) => {
            // From the canvas itself into what is on it.
            if (event.target !== event.currentTarget) return
            if (!['Enter', 'ArrowDown', 'ArrowRight', 'ArrowLeft', 'ArrowUp'].includes(event.key)) return
            event.preventDefault()
            event.stopPropagation()
            onEnter()
          }}
          className="rounded-lg border border-line bg-sunk -outline-offset-2"
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          onNodesChange={onNodesChange}
          {...handlers}
          onConnect={nothing}
          onlyRenderVisibleElements
          nodesConnectable={editable}
          nodesFocusable={false}
          edgesFocusable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          panActivationKeyCode={null}
          zoomOnDoubleClick={false}
          // The page scrolls on: zooming takes Control, Command, or two fingers.
          zoomOnScroll={false}
          preventScrolling={false}
          minZoom={MIN_ZOOM}
          maxZoom={1.6}
          proOptions={PRO_OPTIONS}
        >
          <Background variant={BackgroundVariant.Dots} gap={24} color="var(--color-line)" />
          <Panel position="top-right" className="m-2! flex rounded-md border border-line bg-raised">
            <IconButton label="Lay out (G)" onClick={onLayOut}>
              <LayoutDashboard />
            </IconButton>
            <IconButton label="Show all (F)" onClick={onFit}>
              <Focus />
            </IconButton>
            <IconButton label="Smaller (−)" onClick={() => onZoom(0.8)}>
              <Minus />
            </IconButton>
            <IconButton label="Larger (+)" onClick={() => onZoom(1.25)}>
              <Plus />
            </IconButton>
          </Panel>
          {beside((node) => dragged.get(node) ?? places.get(node))}
          {nodes.length >= MAP_FROM ? (
            <MiniMap
              pannable
              zoomable
              ariaLabel="Map of the graph"
              className="rounded-md border border-line max-lg:hidden"
              style={{ width: 168, height: 112 }}
              bgColor="var(--color-raised)"
              maskColor="color-mix(in oklab, var(--color-sunk) 70%, transparent)"
              nodeColor={(node) => (node.selected ? 'var(--color-accent)' : 'var(--color-edge)')}
            />
          ) : null}
        </ReactFlow>
      </div>
    </WithDetail>
  )
}

function WithDetail({ children }: { children: ReactNode }) {
  const detail = useStore((state) => detailAt(state.transform[2]))
  return <DetailContext value={detail}>{children}</DetailContext>
}

/**
 * A callback with a stable identity that calls the latest `handler`: React Flow notifies hundreds of subscribers of
 * each new handler.
 */
function useStableCallback<Args extends unknown[]>(
  handler: (...args: Args) => void,
): (...args: Args) => void {
  const latest = useRef(handler)
  useLayoutEffect(() => {
    latest.current = handler
  })
  return useCallback((...args) => latest.current(...args), [])
}
