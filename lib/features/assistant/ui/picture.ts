import type { Stream } from '#lib/studio/runs/run.ts'

const WIDTH = 480
const LANE = 64
const MAX_LANES = 8
const MAX_STEPS = 240

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
  context.lineWidth = 2
  for (const [index, { data }] of lanes.entries()) {
    const values = data.slice(0, MAX_STEPS)
    const least = Math.min(...values)
    const wide = WIDTH / values.length
    const high = (LANE - 12) / Math.max(1, Math.max(...values) - least)
    context.strokeStyle = COLORS[index % COLORS.length]!
    context.beginPath()
    for (const [step, value] of values.entries()) {
      const y = (index + 1) * LANE - 6 - (value - least) * high
      context.lineTo(step * wide, y)
      context.lineTo((step + 1) * wide, y)
    }
    context.stroke()
  }
  const url = canvas.toDataURL('image/png')
  return url.startsWith('data:image/png;base64,') ? url.slice(url.indexOf(',') + 1) : undefined
}

const COLORS = ['#3450b4', '#b3283f', '#856500', '#0c7562', '#80502a', '#93307c']
