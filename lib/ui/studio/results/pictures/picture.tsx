'use client'

import { type RefObject, useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { formatInteger } from '#lib/browser/format.ts'
import { drawOn, pngOf, useDrawing } from '#lib/ui/plots/canvas.ts'
import { AXIS, EDGE, HEAD, heightOf, insetOf, isApart, type Scene } from '#lib/ui/plots/scene.ts'
import type { Window } from '#lib/ui/plots/window.ts'
import type { StreamDifference } from '../compare.ts'
import { Dot, Lanes } from './lanes.tsx'
import { useGestures } from './use-gestures.ts'

/** Writes the picture that is shown, in a PNG; undefined where it has no room or the browser refuses. */
export type SavePng = (title: string) => Promise<Blob | undefined>

/** Lower lanes would show nothing. */
const LEAST_LANE_PX = 52

/**
 * One view of a run on one canvas, as large as the room there is. It is drawn again when its scene changes, in the same
 * frame; the cursor moves above it. Each path of it is described in words.
 *
 * @param name Of the view.
 * @param label What the picture shows, where its paths share one.
 * @param png Set to what saves the picture while it is shown.
 */
export function Picture({
  scene,
  name,
  label,
  step,
  steps,
  differences,
  onStep,
  onWindow,
  onChoose,
  png,
}: {
  scene: Scene
  name: string
  label: string
  step: number
  /** Steps of the whole run. */
  steps: number
  differences: readonly StreamDifference[] | undefined
  onStep: (step: number) => void
  onWindow: (window: Window) => void
  onChoose: (index: number) => void
  png: RefObject<SavePng | undefined> | undefined
}) {
  const { kind, streams, window: shown, chosen } = scene
  const canvas = useRef<HTMLCanvasElement>(null)
  const keys = useId()
  const apart = isApart(scene)
  const inset = insetOf(kind)
  const choose = (index: number) => onChoose(Math.min(streams.length - 1, Math.max(0, index)))
  const { surface, brush, handlers } = useGestures({
    window: shown,
    steps,
    step,
    inset,
    onStep,
    onWindow,
    onPress: (height) => {
      const plot = 1 - AXIS / Math.max(1, canvas.current?.clientHeight ?? 1)
      if (apart || kind === 'heat') choose(Math.floor((height / plot) * streams.length))
    },
    onPath: (by) => choose(chosen + by),
  })

  const { redraw, palette } = useDrawing(canvas, (element, colors) => drawOn(element, scene, colors))
  // biome-ignore lint/correctness/useExhaustiveDependencies: a scene is drawn when it is another one
  useLayoutEffect(() => redraw(), [scene])

  const save = useEffectEvent<SavePng>(async (title) => {
    const element = canvas.current
    if (!element || !palette.current || element.clientWidth === 0) return undefined
    return pngOf(title, { width: element.clientWidth, height: element.clientHeight }, scene, palette.current)
  })
  useEffect(() => {
    if (!png) return
    png.current = (title) => save(title)
    return () => {
      png.current = undefined
    }
  }, [png])

  const at = (of: number) => (of - shown.first) / (shown.last - shown.first + 1)
  const across = (share: number) => `calc(${inset}px + (100% - ${inset + EDGE}px) * ${share})`
  const inSight = step >= shown.first && step <= shown.last
  const half = 0.5 / (shown.last - shown.first + 1)
  const value = streams[chosen]?.data[step]
  return (
    <div
      className="relative min-h-0 flex-1 overflow-hidden rounded-md border border-line bg-raised"
      style={{ minHeight: apart ? streams.length * LEAST_LANE_PX + AXIS : undefined }}
    >
      <canvas
        ref={canvas}
        // Its colour is read in the moment it is set: were that a transition, it would be the one before.
        className="absolute inset-0 size-full [transition-property:opacity]"
      />
      {apart ? null : <div role="img" aria-label={label} className="absolute inset-0" />}
      {inSight ? (
        <span
          aria-hidden="true"
          data-playhead
          className="pointer-events-none absolute top-0 border-ink/60 border-l bg-ink/8"
          style={{
            left: across(at(step)),
            width: `calc((100% - ${inset + EDGE}px) * ${2 * half})`,
            bottom: AXIS,
          }}
        />
      ) : null}
      {inSight && !apart && kind !== 'heat' && kind !== 'roll'
        ? streams.map(({ path, data }, index) =>
            data[step] === undefined ? null : (
              <Dot
                key={path}
                index={index}
                left={across(at(step) + half)}
                top={`calc(${HEAD}px + (100% - ${HEAD + EDGE + AXIS}px) * ${heightOf(data[step], scene.ranges[index]!)})`}
              />
            ),
          )
        : null}
      {brush ? (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-0 border border-accent bg-accent/15"
          style={{
            left: across(at(brush.first)),
            width: `calc((100% - ${inset + EDGE}px) * ${at(brush.last + 1) - at(brush.first)})`,
            bottom: AXIS,
          }}
        />
      ) : null}
      <div
        ref={surface}
        role="slider"
        tabIndex={0}
        aria-label={`Step in ${name}`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, steps - 1)}
        aria-valuenow={step}
        aria-valuetext={`${formatInteger(step)} of ${formatInteger(Math.max(0, steps - 1))}${value === undefined ? '' : `, ${streams[chosen]?.path} is ${formatInteger(value)}`}`}
        aria-describedby={keys}
        title="Drag for the step, Shift and drag for a window; Ctrl and wheel, or pinch, to zoom"
        className="absolute inset-0 cursor-crosshair touch-pan-y rounded-md outline-offset-[-2px]"
        {...handlers}
      >
        <span id={keys} hidden>
          Arrow keys move the step and choose the voice; plus, minus and 0 zoom; Shift with arrows moves the
          window.
        </span>
      </div>
      {apart ? (
        <Lanes
          scene={scene}
          step={step}
          differences={differences}
          onChoose={onChoose}
          dots={inSight ? across(at(step) + half) : undefined}
        />
      ) : null}
    </div>
  )
}
