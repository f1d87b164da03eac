'use client'

import { useReactFlow, useStoreApi } from '@xyflow/react'
import { type RefObject, useMemo, useRef } from 'react'
import type { Point } from '../document/types.ts'
import { FIELDS_FROM } from './graph-context.ts'
import type { Box } from './model/arrange.ts'

const MARGIN = 24
/** Room at the top for the tools of the canvas. */
const TOP = 60

/** Smallest zoom. */
export const MIN_ZOOM = 0.06

/** What moves the view of the canvas, and the focus inside of it. */
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
    const duration = () =>
      latest.current.boxes.length > 100 || matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 160

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
      const found = frame.current?.querySelector<HTMLElement>(selector)
      if (found) {
        found.focus({ preventScroll: true })
        // A number is replaced more often than it is continued.
        if (found instanceof HTMLInputElement && found.inputMode === 'numeric') found.select()
        keepInSight(found)
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

    /** What surrounds everything. */
    const bounds = () => {
      const sides = latest.current.boxes.flatMap(({ key, width, height }) => {
        const at = latest.current.places.get(key)
        return at ? [{ left: at.x, right: at.x + width, top: at.y, bottom: at.y + height }] : []
      })
      const left = Math.min(...sides.map((side) => side.left))
      const top = Math.min(...sides.map((side) => side.top))
      return {
        left,
        top,
        width: Math.max(...sides.map((side) => side.right)) - left,
        height: Math.max(...sides.map((side) => side.bottom)) - top,
      }
    }

    const fitting = () => {
      const { width, height } = canvas.getState()
      const all = bounds()
      return Math.min(1, (width - 2 * MARGIN) / all.width, (height - TOP - MARGIN) / all.height)
    }

    const show = (zoom: number, options?: { readonly duration: number }) => {
      const { width, height } = canvas.getState()
      const all = bounds()
      flow.setViewport(
        {
          x: (width - all.width * zoom) / 2 - all.left * zoom,
          y: TOP + (height - TOP - MARGIN - all.height * zoom) / 2 - all.top * zoom,
          zoom,
        },
        options,
      )
    }

    return {
      open(node) {
        const zoom = fitting()
        if (zoom >= FIELDS_FROM) show(zoom)
        else {
          const at = latest.current.places.get(node) ?? { x: 0, y: 0 }
          flow.setViewport({
            x: MARGIN - at.x * FIELDS_FROM,
            y: TOP - at.y * FIELDS_FROM,
            zoom: FIELDS_FROM,
          })
        }
      },
      fit: () => show(Math.max(MIN_ZOOM, fitting()), { duration: duration() }),
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
