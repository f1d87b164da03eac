import type { Stream } from '#lib/studio/runs/run.ts'
import { drawSteps } from '#lib/ui/plots/canvas-steps.ts'

const WIDTH = 480
const LANE = 64
const MAX_LANES = 8

/** Draws the streams of a run one below another, each in its own range. @returns a PNG in base64. */
export async function drawSmall(streams: readonly Stream[]): Promise<string | undefined> {
  const lanes = streams.slice(0, MAX_LANES)
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = LANE * Math.max(1, lanes.length)
  const context = canvas.getContext('2d')
  if (context === null) return undefined
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  drawSteps(context, lanes, canvas, COLORS)
  const url = canvas.toDataURL('image/png')
  return url.startsWith('data:image/png;base64,') ? url.slice(url.indexOf(',') + 1) : undefined
}

const COLORS = ['#3450b4', '#b3283f', '#856500', '#0c7562', '#80502a', '#93307c']
