'use client'

import { useReactFlow, ViewportPortal } from '@xyflow/react'
import { GripVertical } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { OfferedConnector } from '../../../domain/world-compatibility.ts'
import type { AttachedWorld } from '../document/types.ts'
import { AttachedPlugin } from '../worlds/attached-plugin.tsx'
import type { WorldsOf } from '../worlds/use-worlds-of.ts'
import type { Point } from './model/arrange.ts'
import { type Rect, WORLD_SIZE } from './world-places.ts'

const STEP = 20
const BEND = 28

/**
 * The Worlds of a graph's connector, each wired to it. They are no nodes of the canvas: those leave the page when they
 * are out of sight, and a World that comes back would begin anew.
 *
 * @param of `tabKey` of the connector's tab.
 * @param root Where the connector is.
 */
export function WorldNodes({
  of,
  worlds,
  places,
  root,
  connector,
  onMove,
}: {
  of: string
  worlds: WorldsOf
  places: ReadonlyMap<string, Point>
  root: Rect
  connector: OfferedConnector | undefined
  onMove: (world: string, to: Point) => void
}) {
  const [dragged, setDragged] = useState<{ readonly world: string; readonly at: Point }>()
  const spots = worlds.attached.flatMap((attached) => {
    const at = dragged?.world === attached.world ? dragged.at : places.get(attached.world)
    return at ? [{ attached, at }] : []
  })
  return (
    <ViewportPortal>
      <svg className="pointer-events-none absolute top-0 left-0 size-px overflow-visible" aria-hidden="true">
        {spots.map(({ attached, at }) => (
          <path
            key={attached.world}
            d={wire(root, at)}
            fill="none"
            stroke="var(--color-ink-soft)"
            strokeWidth="2"
            strokeDasharray="2 5"
            strokeLinecap="round"
          />
        ))}
      </svg>
      {spots.map(({ attached, at }) => (
        <WorldNode
          key={attached.world}
          of={of}
          attached={attached}
          at={at}
          connector={connector}
          onDrag={(to) => setDragged(to && { world: attached.world, at: to })}
          onMove={(to) => onMove(attached.world, to)}
          onDetach={worlds.detach}
          onFeed={worlds.feed}
        />
      ))}
    </ViewportPortal>
  )
}

function WorldNode({
  of,
  attached,
  at,
  connector,
  onDrag,
  onMove,
  onDetach,
  onFeed,
}: {
  of: string
  attached: AttachedWorld
  at: Point
  connector: OfferedConnector | undefined
  onDrag: (to: Point | undefined) => void
  onMove: (to: Point) => void
  onDetach: WorldsOf['detach']
  onFeed: WorldsOf['feed']
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no node of a graph
    <div
      role="group"
      aria-label="World of this connector"
      data-world={attached.world}
      className="nodrag nopan absolute rounded-lg border border-edge bg-raised px-3 pb-2"
      // The canvas lets everything through that is no node of its own.
      style={{ left: at.x, top: at.y, width: WORLD_SIZE.width, pointerEvents: 'all' }}
      onCopy={(event) => event.stopPropagation()}
      onCut={(event) => event.stopPropagation()}
      onPaste={(event) => event.stopPropagation()}
    >
      <AttachedPlugin
        of={of}
        id={attached.world}
        slots={attached.slots}
        connector={connector}
        shape="aspect-[4/3]"
        handle={<Grip at={at} onDrag={onDrag} onMove={onMove} />}
        onDetach={onDetach}
        onFeed={onFeed}
      />
    </div>
  )
}

/** Moves a World: dragged by it, or with arrow keys. */
function Grip({
  at,
  onDrag,
  onMove,
}: {
  at: Point
  onDrag: (to: Point | undefined) => void
  onMove: (to: Point) => void
}) {
  const { getZoom } = useReactFlow()
  const [from, setFrom] = useState<Point>()
  const end = () => {
    if (from === undefined) return
    setFrom(undefined)
    onMove({ x: Math.round(at.x), y: Math.round(at.y) })
    onDrag(undefined)
  }
  const move = (event: PointerEvent) => {
    if (from === undefined) return
    const zoom = getZoom()
    onDrag({ x: at.x + (event.clientX - from.x) / zoom, y: at.y + (event.clientY - from.y) / zoom })
    setFrom({ x: event.clientX, y: event.clientY })
  }
  const nudge = (event: KeyboardEvent) => {
    const by = { ArrowUp: [0, -STEP], ArrowDown: [0, STEP], ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0] }[
      event.key
    ]
    if (by === undefined) return
    event.preventDefault()
    onMove({ x: at.x + by[0]!, y: at.y + by[1]! })
  }
  return (
    <button
      type="button"
      aria-label="Move this World with the arrow keys"
      title="Drag to move it"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setFrom({ x: event.clientX, y: event.clientY })
      }}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={nudge}
      className="-ml-1.5 inline-grid h-9 w-6 shrink-0 cursor-grab touch-none place-items-center rounded-md text-ink-soft hover:bg-sunk active:cursor-grabbing"
    >
      <GripVertical className="size-4" aria-hidden="true" />
    </button>
  )
}

/** From under a connector to the top of a World. */
function wire(root: Rect, to: Point): string {
  const from = { x: root.x + WORLD_SIZE.width / 2, y: root.y + root.height }
  const end = { x: to.x + WORLD_SIZE.width / 2, y: to.y }
  const bend = Math.max(BEND, Math.abs(end.y - from.y) / 2)
  return `M${from.x},${from.y} C${from.x},${from.y + bend} ${end.x},${end.y - bend} ${end.x},${end.y}`
}
