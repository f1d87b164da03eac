/* A canvas that fits its place, follows light and dark, and is drawn at most once a frame. */

/**
 * @param {(pen: CanvasRenderingContext2D, view: { width: number, height: number, scale: number, isDark: boolean, isStill: boolean }) => void} paint
 *   Draws in CSS pixels.
 * @param {number} most Device pixels drawn for each CSS pixel, at most.
 */
export function openStage(canvas, paint, most = 2) {
  const pen = canvas.getContext('2d')
  const dark = matchMedia('(prefers-color-scheme: dark)')
  // The theme that the reader chose for the page, where that differs from the system's.
  const theme = new URLSearchParams(location.search).get('theme')
  const still = matchMedia('(prefers-reduced-motion: reduce)')
  let isAsked = false

  function paintNow() {
    const { clientWidth: width, clientHeight: height } = canvas
    if (width === 0 || height === 0) return
    const scale = Math.min(most, devicePixelRatio)
    const [wide, high] = [Math.round(width * scale), Math.round(height * scale)]
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high })
    pen.setTransform(scale, 0, 0, scale, 0, 0)
    paint(pen, {
      width,
      height,
      scale,
      isDark: theme ? theme === 'dark' : dark.matches,
      isStill: still.matches,
    })
  }

  function request() {
    if (isAsked) return
    isAsked = true
    requestAnimationFrame(() => {
      isAsked = false
      paintNow()
    })
  }

  for (const query of [dark, still]) query.addEventListener('change', request)
  new ResizeObserver(request).observe(canvas)
  return {
    request,
    paintNow,
    get isStill() {
      return still.matches
    },
  }
}
