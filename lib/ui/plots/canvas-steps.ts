import { extentOf } from '#lib/engine/sound/extent.ts'
import type { Size } from './scene.ts'

/** Around the lanes. */
const AIR = 4

/** Returns how many steps have room for a mark each. */
export function visibleSteps(steps: number, width: number): number {
  return Math.min(steps, Math.max(16, Math.floor(width / 3)))
}

/** Draws streams small, as a mark a step, one below another and each in its own range. */
export function drawSteps(
  context: CanvasRenderingContext2D,
  streams: readonly { readonly data: readonly number[] }[],
  { width, height }: Size,
  colors: readonly string[],
): void {
  const laneHeight = (height - 2 * AIR) / Math.max(1, streams.length)
  for (const [index, { data }] of streams.entries()) {
    const { min, max } = extentOf(data)
    const steps = visibleSteps(data.length, width)
    const stepWidth = (width - 2 * AIR) / Math.max(1, steps)
    const thickness = Math.max(1.5, Math.min(4, laneHeight / 7))
    const room = laneHeight - thickness - 2
    context.fillStyle = colors[index % colors.length] ?? '#000'
    for (let step = 0; step < steps; step++) {
      const share = max === min ? 0.5 : (data[step]! - min) / (max - min)
      const top = AIR + index * laneHeight + 1 + (1 - share) * room
      context.fillRect(AIR + step * stepWidth, top, Math.max(1, stepWidth - 0.5), thickness)
    }
  }
}
