import { type RefObject, useEffect, useEffectEvent } from 'react'
import { watchTheme } from '../../../components/theme-toggle.tsx'

/** Draws a canvas again when its box changes, and in the colours of another theme. */
export function useRedraw(
  canvas: RefObject<HTMLCanvasElement | null>,
  draw: () => void,
  onTheme?: () => void,
): void {
  const redraw = useEffectEvent(draw)
  const retheme = useEffectEvent(() => onTheme?.())
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const resized = new ResizeObserver(() => redraw())
    resized.observe(element)
    const unwatch = watchTheme(() => {
      retheme()
      requestAnimationFrame(() => redraw())
    })
    return () => {
      resized.disconnect()
      unwatch()
    }
  }, [canvas])
}
