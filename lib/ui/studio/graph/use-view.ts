'use client'

import { getViewportForBounds, useReactFlow, useStoreApi } from '@xyflow/react'
import { type RefObject, useMemo, useRef } from 'react'
import { prefersReducedMotion } from '#lib/browser/reduced-motion.ts'
import type { Point } from '#lib/studio/document/types.ts'
import { FIELDS_FROM } from './graph-context.ts'
import type { Box } from './model/arrange.ts'

export const MIN_ZOOM = 0.06
/** Pixels around everything. */
const MARGIN = 24
/** Room at the top for the tools of the canvas. */
const TOP = 60
/** Margin of React Flow's panels. */
const MAP_MARGIN = 15

/** Controls of the canvas's view, and of the focus inside of it. */
export interface View {
  /** The initial view: everything where it is legible, else from a node on. */
  readonly open: (node: string) => void
  readonly fit: () => void
  readonly zoom: (by: number) => void
  /** Scrolls the view until a node is visible. */
  readonly reveal: (node: string) => void
  /** Focuses an element of a node and brings it into view. */
  readonly focus: (node: string, selector: string) => void
  /** Likewise for a field, zooming in until fields are shown. */
  readonly focusField: (node: string, selector: string) => void
}

export function useView(
  boxes: readonly Box[],
  places: ReadonlyMap<string, Point>,
  frame: RefObject<HTMLDivElement | null>,
): View {
  const flow = useReactFlow()
  const canvas = useStoreApi()
  const latest = useRef({ boxes, places })
  latest.current = { boxes, places }

  return useMemo(() => {
    /** With many nodes the animation is skipped: they mount and unmount on the way. */
    const duration = () => (latest.current.boxes.length > 100 || prefersReducedMotion() ? 0 : 160)

    const reveal = (key: string, atLeast = 0) => {
      const box = latest.current.boxes.find((each) => each.key === key)
      const at = latest.current.places.get(key)
      if (!box || !at) return
      const { width, height } = canvas.getState()
      const { x, y, zoom } = flow.getViewport()
      const next = Math.max(zoom, atLeast)
      const left = at.x * next + x
      const upper = at.y * next + y
      const inside =
        next === zoom &&
        left >= 0 &&
        left + box.width * next <= width &&
        upper >= 0 &&
        upper + Math.min(box.height * next, height - MARGIN) <= height
      if (inside) return
      // What is larger than the canvas shows its beginning.
      const middle = (size: number, room: number) => Math.max(MARGIN, (room - size * next) / 2)
      flow.setViewport({
        x: middle(box.width, width) - at.x * next,
        y: middle(box.height, height) - at.y * next,
        zoom: next,
      })
    }

    const focus = (selector: string, attempts = 4) => {
      const element = frame.current?.querySelector<HTMLElement>(selector)
      if (element) {
        element.focus({ preventScroll: true })
        // A number is replaced more often than it is continued.
        if (element instanceof HTMLInputElement && element.inputMode === 'numeric') element.select()
        keepInSight(element)
      } else if (attempts > 0) {
        // A node outside the view mounts only after the view has moved.
        requestAnimationFrame(() => focus(selector, attempts - 1))
      }
    }

    /** A line of a node that is higher than the canvas may still be out of sight. */
    const keepInSight = (element: HTMLElement) => {
      const pane = frame.current?.querySelector('.react-flow')?.getBoundingClientRect()
      const { top, bottom, height } = element.getBoundingClientRect()
      if (!pane || height > pane.height) return
      const over = top < pane.top ? pane.top - top + MARGIN : 0
      const under = bottom > pane.bottom ? bottom - pane.bottom + MARGIN : 0
      if (over === 0 && under === 0) return
      const { x, y, zoom } = flow.getViewport()
      flow.setViewport({ x, y: y + over - under, zoom })
    }

    /** Everything, at most at its own size, beside the overview map or above it, whichever shows it larger. */
    const fitting = () => {
      const { width, height } = canvas.getState()
      const map = frame.current?.querySelector<HTMLElement>('.react-flow__minimap')
      // In a narrow window the map is not shown.
      const beyond = (size = 0) => `${size ? size + 2 * MAP_MARGIN : MARGIN}px` as const
      const bounds = boundsOf(latest.current.boxes, latest.current.places)
      const within = (right: number | undefined, bottom: number | undefined) =>
        getViewportForBounds(bounds, width, height, MIN_ZOOM, 1, {
          top: `${TOP}px`,
          left: beyond(),
          right: beyond(right),
          bottom: beyond(bottom),
        })
      const beside = within(map?.offsetWidth, 0)
      const above = within(0, map?.offsetHeight)
      return beside.zoom > above.zoom ? beside : above
    }

    return {
      open(node) {
        const all = fitting()
        if (all.zoom >= FIELDS_FROM) void flow.setViewport(all)
        else {
          const at = latest.current.places.get(node) ?? { x: 0, y: 0 }
          flow.setViewport({
            x: MARGIN - at.x * FIELDS_FROM,
            y: TOP - at.y * FIELDS_FROM,
            zoom: FIELDS_FROM,
          })
        }
      },
      fit: () => void flow.setViewport(fitting(), { duration: duration() }),
      zoom: (by) => void flow.zoomTo(flow.getZoom() * by, { duration: duration() }),
      reveal: (node) => reveal(node),
      focus(node, selector) {
        reveal(node)
        focus(selector)
      },
      focusField(node, selector) {
        reveal(node, FIELDS_FROM)
        focus(selector)
      },
    }
  }, [flow, canvas, frame])
}

function boundsOf(boxes: readonly Box[], places: ReadonlyMap<string, Point>) {
  const at = boxes.map(({ key, width, height }) => ({
    ...(places.get(key) ?? { x: 0, y: 0 }),
    width,
    height,
  }))
  const x = Math.min(...at.map((box) => box.x))
  const y = Math.min(...at.map((box) => box.y))
  return {
    x,
    y,
    width: Math.max(...at.map((box) => box.x + box.width)) - x,
    height: Math.max(...at.map((box) => box.y + box.height)) - y,
  }
}
