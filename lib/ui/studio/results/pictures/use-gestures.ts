'use client'

import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { EDGE } from '#lib/ui/plots/scene.ts'
import { between, pan, type Window, wholeWindow, zoom } from '#lib/ui/plots/window.ts'

/** Wheel movement that halves the window. */
const WHEEL_HALF = 300

interface Gestures {
  readonly surface: RefObject<HTMLDivElement | null>
  /** Steps of a brush that is being drawn. */
  readonly brush: Window | undefined
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerCancel: (event: PointerEvent<HTMLElement>) => void
    readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  }
}

/**
 * Cursor and window of a picture by mouse, touch, pen and keys: dragging moves the cursor, and selects a window with
 * Shift; the wheel zooms with Ctrl (which is how a pinch on a touchpad arrives) and pans sideways; two fingers do both.
 *
 * @param inset Pixels left of the first step.
 * @param onPress Called with the height of a press, from 0 at the top to 1.
 * @param onPath Chooses the path before (-1) or after (1).
 */
export function useGestures({
  window: shown,
  steps,
  step,
  inset,
  onStep,
  onWindow,
  onPress,
  onPath,
}: {
  window: Window
  steps: number
  step: number
  inset: number
  onStep: (step: number) => void
  onWindow: (window: Window) => void
  onPress: (height: number) => void
  onPath: (by: -1 | 1) => void
}): Gestures {
  const surface = useRef<HTMLDivElement>(null)
  const [brush, setBrush] = useState<Window>()
  const fingers = useRef(new Map<number, number>())
  const began = useRef(0)

  const stepAt = (clientX: number) => {
    const box = surface.current?.getBoundingClientRect()
    if (!box) return shown.first
    const share = (clientX - box.left - inset) / Math.max(1, box.width - inset - EDGE)
    const at = shown.first + Math.floor(share * (shown.last - shown.first + 1))
    return Math.min(shown.last, Math.max(shown.first, at))
  }
  const stepsFor = (pixels: number) => {
    const width = (surface.current?.clientWidth ?? 0) - inset - EDGE
    return (pixels / Math.max(1, width)) * (shown.last - shown.first + 1)
  }

  const onWheel = useEffectEvent((event: WheelEvent) => {
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY)
    // Without Ctrl it scrolls the pane.
    if (!(event.ctrlKey || event.metaKey || isSideways || event.shiftKey)) return
    event.preventDefault()
    const lines = event.deltaMode === 1 ? 16 : 1
    if (event.ctrlKey || event.metaKey) {
      const delta = Math.max(-WHEEL_HALF, Math.min(WHEEL_HALF, event.deltaY * lines))
      onWindow(zoom(shown, 2 ** (delta / WHEEL_HALF), stepAt(event.clientX), steps))
    } else {
      const delta = isSideways ? event.deltaX : event.deltaY
      onWindow(pan(shown, Math.sign(delta) * Math.max(1, Math.abs(stepsFor(delta * lines))), steps))
    }
  })
  useEffect(() => {
    const element = surface.current
    // React's own listeners for wheels are passive.
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [])

  const pinch = (event: PointerEvent) => {
    const before = [...fingers.current.values()]
    fingers.current.set(event.pointerId, event.clientX)
    const after = [...fingers.current.values()]
    const apart = (xs: number[]) => Math.max(24, Math.abs(xs[0]! - xs[1]!))
    const middle = (xs: number[]) => (xs[0]! + xs[1]!) / 2
    const zoomed = zoom(shown, apart(before) / apart(after), stepAt(middle(after)), steps)
    onWindow(pan(zoomed, stepsFor(middle(before) - middle(after)), steps))
  }

  const release = (event: PointerEvent) => {
    fingers.current.delete(event.pointerId)
    if (brush && event.type === 'pointerup' && brush.first !== brush.last) {
      onWindow(between(brush.first, brush.last, steps))
    }
    setBrush(undefined)
  }

  return {
    surface,
    brush: brush && { first: Math.min(brush.first, brush.last), last: Math.max(brush.first, brush.last) },
    handlers: {
      onPointerDown(event) {
        if (event.button !== 0) return
        fingers.current.set(event.pointerId, event.clientX)
        event.currentTarget.setPointerCapture(event.pointerId)
        if (fingers.current.size > 1) return setBrush(undefined)
        const at = stepAt(event.clientX)
        began.current = at
        if (event.shiftKey) return setBrush({ first: at, last: at })
        const box = event.currentTarget.getBoundingClientRect()
        onPress(Math.min(0.999, Math.max(0, (event.clientY - box.top) / Math.max(1, box.height))))
        onStep(at)
      },
      onPointerMove(event) {
        if (!fingers.current.has(event.pointerId)) return
        if (fingers.current.size === 2) return pinch(event)
        if (brush) setBrush({ first: began.current, last: stepAt(event.clientX) })
        else onStep(stepAt(event.clientX))
      },
      onPointerUp: release,
      onPointerCancel: release,
      onKeyDown(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) return
        const act = keyAction(event, { shown, steps, step, onStep, onWindow, onPath })
        if (act === undefined) return
        event.preventDefault()
        act()
      },
    },
  }
}

function keyAction(
  { key, shiftKey }: KeyboardEvent,
  {
    shown,
    steps,
    step,
    onStep,
    onWindow,
    onPath,
  }: {
    readonly shown: Window
    readonly steps: number
    readonly step: number
    readonly onStep: (step: number) => void
    readonly onWindow: (window: Window) => void
    readonly onPath: (by: -1 | 1) => void
  },
): (() => void) | undefined {
  const length = shown.last - shown.first + 1
  const to = (next: number) => () => onStep(Math.min(steps - 1, Math.max(0, next)))
  const by = (share: number) => () =>
    onWindow(pan(shown, Math.sign(share) * Math.max(1, Math.abs(share) * length), steps))
  switch (key) {
    case 'ArrowRight':
      return shiftKey ? by(0.25) : to(step + 1)
    case 'ArrowLeft':
      return shiftKey ? by(-0.25) : to(step - 1)
    case 'ArrowUp':
      return () => onPath(-1)
    case 'ArrowDown':
      return () => onPath(1)
    case 'PageUp':
      return to(step + Math.max(2, Math.round(length / 8)))
    case 'PageDown':
      return to(step - Math.max(2, Math.round(length / 8)))
    case 'Home':
      return to(0)
    case 'End':
      return to(steps - 1)
    case '+':
    case '=':
      return () => onWindow(zoom(shown, 0.5, step, steps))
    case '-':
      return () => onWindow(zoom(shown, 2, step, steps))
    case '0':
      return () => onWindow(wholeWindow(steps))
    default:
      return undefined
  }
}
