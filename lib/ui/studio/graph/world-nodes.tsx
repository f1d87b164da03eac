'use client'

import { useReactFlow, ViewportPortal } from '@xyflow/react'
import { GripVertical } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { OfferedConnector } from '#lib/protocol/world-compatibility.ts'
import type { AttachedWorld, Point } from '#lib/studio/document/types.ts'
import { Press } from '#lib/ui/kit/button.tsx'
import { AttachedPlugin } from '../worlds/attached-plugin.tsx'
import type { WorldsOf } from '../worlds/use-worlds-of.ts'
import { NUDGES } from './graph-keys.ts'
import type { Box } from './model/arrange.ts'
import { NODE_WIDTH } from './model/sizes.ts'

const BEND = 28

/**
 * The Worlds of a graph's connector, wired to it. They are no nodes of React Flow, which unmounts nodes outside the
 * view: a World would restart.
 *
 * @param of `tabKey` of the connector's tab.
 * @param root Rectangle of the connector.
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
      aria-label="World of this piece"
      data-world={attached.world}
      className="nodrag nopan absolute rounded-lg border border-edge bg-raised px-3 pb-2"
      // React Flow disables pointer events outside its own nodes.
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
    const by = NUDGES[event.key]
    if (by === undefined) return
    event.preventDefault()
    onMove({ x: at.x + by.x, y: at.y + by.y })
  }
  return (
    <Press
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
    </Press>
  )
}

/** A curve from below a connector to the top of a World. */
function wire(root: Rect, to: Point): string {
  const from = { x: root.x + WORLD_SIZE.width / 2, y: root.y + root.height }
  const end = { x: to.x + WORLD_SIZE.width / 2, y: to.y }
  const bend = Math.max(BEND, Math.abs(end.y - from.y) / 2)
  return `M${from.x},${from.y} C${from.x},${from.y + bend} ${end.x},${end.y - bend} ${end.x},${end.y}`
}

/** Pixels of the canvas; the height is that of a World with one line of words. */
const WORLD_SIZE = { width: NODE_WIDTH, height: 380 }
const BELOW = 56
const BESIDE = 36

/** Places of Worlds: moved by hand, else below their connector, from right to left. */
export function worldPlaces(
  attached: readonly AttachedWorld[],
  root: Rect | undefined,
): ReadonlyMap<string, Point> {
  if (root === undefined) return new Map()
  return new Map(
    attached.map(({ world, place }, index): [string, Point] => [
      world,
      place ?? { x: root.x - index * (WORLD_SIZE.width + BESIDE), y: root.y + root.height + BELOW },
    ]),
  )
}

/** A connector on the canvas. */
interface Rect extends Point {
  readonly height: number
}

/** Their boxes on the canvas. */
export function worldBoxes(attached: readonly AttachedWorld[]): readonly Box[] {
  return attached.map(({ world }) => ({ key: world, ...WORLD_SIZE }))
}
