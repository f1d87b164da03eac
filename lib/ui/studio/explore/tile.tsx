'use client'

import { Star } from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import { downsample, extentOf, valueRange } from '../../components/series.ts'
import type { Stream } from '../preview/run.ts'
import { usePlayhead } from '../transport/transport.ts'
import type { Variation } from './engine/messages.ts'

/** Streams of a picture; more lines are no picture. */
const MAX_LINES = 8
const AIR = 5

/** One variation: a picture of its streams, each in its own range. */
export const Tile = memo(function Tile({
  id,
  label,
  streams,
  colors,
  isCurrent,
  isKept,
  mark,
  note,
  variation,
  onPoint,
  onOpen,
}: {
  id: string
  label: string
  streams: readonly Stream[]
  /** CSS colours, resolved. */
  colors: readonly string[]
  isCurrent: boolean
  isKept: boolean
  /** 1 or 2 where it is marked as a parent. */
  mark: number | undefined
  /** A word in the corner. */
  note: string
  variation: Variation
  /** Hovered, focused or pressed. */
  onPoint: (variation: Variation) => void
  onOpen: (variation: Variation) => void
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const again = () => draw(element, streams, colors)
    const resized = new ResizeObserver(again)
    resized.observe(element)
    return () => resized.disconnect()
  }, [streams, colors])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the list
    <div
      role="option"
      id={id}
      data-variation={id}
      aria-selected={isCurrent}
      aria-label={label}
      tabIndex={isCurrent ? 0 : -1}
      onPointerEnter={(event) => {
        if (event.pointerType === 'mouse') onPoint(variation)
      }}
      onClick={() => onPoint(variation)}
      onDoubleClick={() => onOpen(variation)}
      onFocus={() => onPoint(variation)}
      className="relative aspect-[4/3] cursor-pointer scroll-m-2 overflow-hidden rounded-md border border-line bg-raised outline-offset-1 hover:border-edge focus-visible:outline-2 focus-visible:outline-accent aria-selected:border-ink aria-selected:ring-1 aria-selected:ring-ink"
    >
      <canvas ref={canvas} className="absolute inset-0 size-full" />
      {isCurrent ? <Head steps={streams[0]?.data.length ?? 0} /> : null}
      {note === '' ? null : (
        <span className="absolute bottom-1 left-1 rounded-sm bg-ground/85 px-1 text-ink text-xs leading-4">
          {note}
        </span>
      )}
      {isKept ? (
        <Star aria-hidden="true" className="absolute top-1 right-1 size-4 fill-weld text-weld" />
      ) : null}
      {mark === undefined ? null : (
        <span className="absolute top-1 left-1 grid size-5 place-items-center rounded-full bg-accent font-semibold text-on-accent text-xs">
          {mark}
        </span>
      )}
    </div>
  )
})

/** Where the sound is, over the picture that sounds. */
function Head({ steps }: { steps: number }) {
  const { playing, step } = usePlayhead()
  if (!playing || steps < 2 || step >= steps) return null
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute inset-y-0 w-px bg-ink"
      style={{ left: `${(step / (steps - 1)) * 100}%` }}
    />
  )
}

function draw(canvas: HTMLCanvasElement, streams: readonly Stream[], colors: readonly string[]): void {
  const { clientWidth: width, clientHeight: height } = canvas
  const context = canvas.getContext('2d')
  if (!context || width === 0 || height === 0) return
  const ratio = globalThis.devicePixelRatio
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  context.scale(ratio, ratio)
  context.lineJoin = 'round'
  context.lineWidth = width < 90 ? 1 : 1.5
  const lines = streams.slice(0, MAX_LINES)
  for (const [index, { data }] of lines.entries()) {
    const { x, y } = downsample(data, Math.max(1, Math.floor(width / 2)))
    const [low, high] = valueRange(extentOf(data))
    const last = Math.max(1, data.length - 1)
    context.strokeStyle = colors[index % colors.length] ?? '#000'
    context.beginPath()
    x.forEach((step, at) => {
      const top = AIR + (1 - (y[at]! - low) / (high - low)) * (height - 2 * AIR)
      context.lineTo((step / last) * width, top)
    })
    context.stroke()
  }
}
