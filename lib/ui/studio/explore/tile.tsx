'use client'

import { Star } from 'lucide-react'
import {
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { memoizeByObject } from '#lib/studio/document/memoize.ts'
import type { Sheet, Variation } from '#lib/studio/explore/messages.ts'
import type { Stream } from '#lib/studio/runs/run.ts'
import { watchTheme } from '#lib/ui/components/theme-toggle.tsx'
import { clearedContext, paletteOf } from '#lib/ui/plots/canvas.ts'
import { drawSteps, visibleSteps } from '#lib/ui/plots/canvas-steps.ts'
import { useFed, useFormat } from '#lib/ui/world/feed/use-slots.ts'
import { InertWorld } from '#lib/ui/world/inert-world.tsx'
import { storedPicture } from '#lib/ui/world/stored-picture.ts'
import type { CaptureOffer } from '#lib/ui/world/use-capture.ts'
import type { PluginWorld } from '#lib/views/gallery.ts'
import { usePlayhead } from '../transport/use-transport.ts'

/** Streams of a picture; more would be too low to read. */
const MAX_LANES = 8
/** Steps that are drawn, and played. */
const SHOWN_STEPS = 64

/**
 * One variation: in the World of its piece where that runs for it, or has; else its streams one below another, each in its
 * own range, as a piano roll.
 */
export const Tile = memo(function Tile({
  id,
  label,
  streams,
  colors,
  world,
  picture,
  isWaiting,
  isCurrent,
  isKept,
  mark,
  note,
  variation,
  onPoint,
  onHover,
  onOpen,
  onKeep,
  onChoose,
  onPicture,
}: {
  id: string
  label: string
  streams: readonly Stream[]
  /** CSS colours, resolved. */
  colors: readonly string[]
  /** The World that runs for it now, and the name of what it draws; undefined for none. */
  world: TileWorldProps['world'] | undefined
  /** Address of a picture that the World drew of it. */
  picture: string | undefined
  /** Whether the World has yet to draw it: until then its streams stand there, faint. */
  isWaiting: boolean
  isCurrent: boolean
  isKept: boolean
  /** 1 or 2 where it is marked as a parent. */
  mark: number | undefined
  /** A word in the corner. */
  note: string
  variation: Variation
  /** Focused or pressed. */
  onPoint: (variation: Variation) => void
  onHover: (variation: Variation) => void
  onOpen: (variation: Variation) => void
  onKeep: (variation: Variation) => void
  /** Chosen as one of two to breed. */
  onChoose: (variation: Variation) => void
  onPicture: (variation: Variation, picture: Blob | undefined) => void
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
      aria-busy={isWaiting}
      aria-label={label}
      tabIndex={isCurrent ? 0 : -1}
      onPointerEnter={(event) => {
        if (event.pointerType === 'mouse') onHover(variation)
      }}
      onClick={(event) => (event.shiftKey ? onChoose(variation) : onPoint(variation))}
      onDoubleClick={() => onOpen(variation)}
      onFocus={() => onPoint(variation)}
      className="group/tile @container relative touch-manipulation aspect-[4/3] cursor-pointer scroll-m-2 overflow-hidden rounded-md border border-line bg-raised outline-offset-1 hover:border-edge focus-visible:outline-2 focus-visible:outline-accent aria-selected:border-ink aria-selected:ring-1 aria-selected:ring-ink"
    >
      <canvas
        ref={canvas}
        className={`absolute inset-0 size-full ${isWaiting ? 'animate-pulse opacity-30' : ''}`}
      />
      {isWaiting ? (
        <span
          data-waiting
          className="absolute inset-0 @max-[4.5rem]:hidden grid place-items-center text-ink-soft text-xs"
        >
          drawing…
        </span>
      ) : null}
      {picture === undefined ? null : (
        // biome-ignore lint/performance/noImgElement: a picture of this page
        <img src={picture} alt="" className="absolute inset-0 size-full object-cover" />
      )}
      {world === undefined ? null : (
        <TileWorld
          world={world}
          streams={streams}
          onPicture={picture === undefined ? (picture) => onPicture(variation, picture) : undefined}
        />
      )}
      {isCurrent && world === undefined && picture === undefined ? (
        <Head steps={streams[0]?.data.length ?? 0} canvas={canvas} />
      ) : null}
      {note === '' ? null : (
        <span className="absolute bottom-0.5 left-0.5 @max-[4.5rem]:hidden whitespace-nowrap rounded-sm bg-ground/85 px-1 text-ink text-xs leading-4">
          {note}
        </span>
      )}
      {/* For pointers; its key is S. */}
      <span
        aria-hidden="true"
        title="Keep (S)"
        data-star
        onClick={(event) => {
          event.stopPropagation()
          onKeep(variation)
        }}
        className={`absolute top-0.5 right-0.5 grid size-7 place-items-center rounded-full ${isKept ? '' : 'opacity-0 group-hover/tile:opacity-100 touch:opacity-100'}`}
      >
        <Star className={`size-4 ${isKept ? 'fill-weld text-weld' : 'text-ink'}`} />
      </span>
      {mark === undefined ? null : (
        <span className="absolute top-1 left-1 grid size-5 place-items-center rounded-full bg-accent font-semibold text-on-accent text-xs">
          {mark}
        </span>
      )}
    </div>
  )
})

/** Until a World shows more than its beginning, and between attempts. */
const MOMENT_MS = 1_200
const ATTEMPTS = 8

interface TileWorldProps {
  readonly world: { readonly plugin: PluginWorld; readonly name: string }
  readonly streams: readonly Stream[]
  /** Called with a picture of it, or with nothing where it has none to give; undefined where none is needed. */
  readonly onPicture: ((picture: Blob | undefined) => void) | undefined
}

/** A World that draws one variation, small and inert. */
function TileWorld({ world: { plugin, name }, streams, onPicture }: TileWorldProps) {
  const payload = useFed(plugin, {
    connector: name,
    streams,
    formatHash: useFormat(streams),
    address: undefined,
  })
  const offer = useRef<CaptureOffer>(undefined)
  const take = useEffectEvent(async (isLast: boolean) => {
    try {
      const picture = await offer.current?.capture('picture')
      if (picture) onPicture?.(await storedPicture(picture))
      else if (isLast) onPicture?.(undefined)
    } catch {
      if (isLast) onPicture?.(undefined)
    }
  })
  const isNeeded = onPicture !== undefined
  useEffect(() => {
    if (!isNeeded) return
    let attempt = 0
    const timer = setInterval(() => {
      attempt += 1
      if (attempt === ATTEMPTS) clearInterval(timer)
      void take(attempt === ATTEMPTS)
    }, MOMENT_MS)
    return () => clearInterval(timer)
  }, [isNeeded])
  const onOffer = useCallback((next: CaptureOffer | undefined) => {
    offer.current = next?.captures.includes('picture') ? next : undefined
  }, [])
  return <InertWorld world={plugin.tile.framed} payload={payload} onOffer={onOffer} />
}

/** Where the sound is, over the picture that sounds. */
function Head({ steps, canvas }: { steps: number; canvas: RefObject<HTMLCanvasElement | null> }) {
  const { playing, step } = usePlayhead()
  const drawn = visibleSteps(steps, canvas.current?.clientWidth ?? 0)
  if (!playing || step >= drawn) return null
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute inset-y-0 w-px bg-ink"
      style={{ left: `${(step / drawn) * 100}%` }}
    />
  )
}

function draw(canvas: HTMLCanvasElement, streams: readonly Stream[], colors: readonly string[]): void {
  const { clientWidth: width, clientHeight: height } = canvas
  if (width === 0 || height === 0) return
  const context = clearedContext(canvas)
  if (context) drawSteps(context, streams.slice(0, MAX_LANES), { width, height }, colors)
}

const streamsIn = memoizeByObject(({ paths, window }: Sheet) =>
  memoizeByObject(({ values }: Variation): readonly Stream[] =>
    paths.map((path, index) => {
      const from = index * window
      return { path, data: Array.from(values.subarray(from, from + Math.min(window, SHOWN_STEPS))) }
    }),
  ),
)

/** The same streams for the same variation: the transport takes over only what is new. */
export function streamsOf(sheet: Sheet, variation: Variation): readonly Stream[] {
  return streamsIn(sheet)(variation)
}

/** Colours of the first streams as a canvas takes them, in the theme that is shown. */
export function useColors(host: RefObject<HTMLElement | null>): readonly string[] {
  const [colors, setColors] = useState<readonly string[]>([])
  useLayoutEffect(() => {
    const read = () => {
      if (host.current) setColors(paletteOf(host.current).threads)
    }
    read()
    return watchTheme(() => requestAnimationFrame(read))
  }, [host])
  return colors
}

/** Smallest width of a picture, and what is around it. */
const SMALLEST = 48
const GAP = 6
const PADDING = 24
const HEIGHT_OF_WIDTH = 3 / 4

/** A picture of this width shows a World; smaller ones are drawn as plots. */
const WORLD_WIDTH = 88

/**
 * Columns with which all pictures fit the host and are largest; where they would be too small, it scrolls.
 *
 * @returns also whether the pictures have room for a World.
 */
export function useColumns(
  host: RefObject<HTMLElement | null>,
  count: number,
): { readonly columns: number; readonly isRoomy: boolean } {
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const element = host.current
    if (element === null) return
    const resized = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    )
    resized.observe(element)
    return () => resized.disconnect()
  }, [host])
  const columns = columnsFor(count, width - PADDING, height - PADDING)
  return { columns, isRoomy: (width - PADDING + GAP) / columns - GAP >= WORLD_WIDTH }
}

function columnsFor(count: number, width: number, height: number): number {
  const most = Math.max(1, Math.floor((width + GAP) / (SMALLEST + GAP)))
  for (let columns = 2; columns < most; columns++) {
    const picture = (width + GAP) / columns - GAP
    const rows = Math.ceil(count / columns)
    if (rows * (picture * HEIGHT_OF_WIDTH + GAP) - GAP <= height) return columns
  }
  return most
}
