'use client'

import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { arrange } from '#lib/engine/sound/arrangement.ts'
import { extentOf } from '#lib/engine/sound/extent.ts'
import { partOf, REST, rowsOf } from '#lib/engine/sound/notes.ts'
import { type GoodRun, stepsOf } from '#lib/studio/runs/run.ts'
import type { PictureKind, RollPart, Scene } from '#lib/ui/plots/scene.ts'
import { valueRange } from '#lib/ui/plots/series.ts'
import { fitWindow, follow, type Window, wholeWindow } from '#lib/ui/plots/window.ts'
import { useSound } from '../common/session.tsx'
import { usePlayhead, useTransport } from '../transport/use-transport.ts'
import { compareRuns, type StreamDifference } from './compare.ts'
import { statisticsOf } from './statistics.ts'

/** Paths with a plot of their own, and how many more at a time. */
const LANES_AT_ONCE = 12

/** The one view model of all views of a run: what is chosen of it, what of it is in sight, and the scene of each picture. */
export interface Pictures {
  readonly steps: number
  readonly step: number
  /** The step that is explained: while it plays, the one chosen last, as a reason takes longer to read than a step. */
  readonly explained: number
  readonly chosen: number
  readonly window: Window
  readonly together: boolean
  readonly sameScale: boolean
  /** Paths that are drawn one below another. */
  readonly lanes: number
  readonly differences: readonly StreamDifference[] | undefined
  readonly setStep: (step: number) => void
  readonly setChosen: (index: number) => void
  readonly setWindow: (window: Window) => void
  readonly setTogether: (on: boolean) => void
  readonly setSameScale: (on: boolean) => void
  readonly showMore: () => void
  /** Scene of a picture; the same object while it would be drawn the same. */
  readonly sceneOf: (kind: PictureKind) => Scene
}

/** @param of Key of its `Source`: the step is where the sound is while the transport has that. */
export function usePictures(of: string, run: GoodRun, pinned: GoodRun | undefined): Pictures {
  const { streams } = run
  const steps = stepsOf(streams)
  const [lanes, setLanes] = useState(LANES_AT_ONCE)
  const [together, setTogether] = useState(false)
  const [sameScale, setSameScale] = useState(false)
  const [chosenBefore, setChosen] = useState(0)
  const [chosenStep, setChosenStep] = useState(0)
  const [windowBefore, setWindow] = useState<Window>()

  // The chosen step is where the sound is, and plays on from where it is put.
  const { transport } = useSound()
  const { source } = useTransport()
  const loaded = source?.key === of
  const playhead = usePlayhead()
  const sounding = useDeferredValue(playhead.step)
  const last = Math.max(0, steps - 1)
  const step = Math.min(loaded ? sounding : chosenStep, last)
  const chosen = Math.min(chosenBefore, streams.length - 1)
  const window = useMemo(
    () => (windowBefore ? fitWindow(windowBefore, steps) : wholeWindow(steps)),
    [windowBefore, steps],
  )
  const stepBefore = useRef(step)
  useEffect(() => {
    const before = stepBefore.current
    stepBefore.current = step
    setWindow((current) => current && follow(current, before, step, steps))
  }, [step, steps])

  const differences = useMemo(
    () => (pinned && pinned !== run ? compareRuns(pinned.streams, streams) : undefined),
    [pinned, run, streams],
  )
  const before = useMemo(() => differences?.map((each) => each.before?.data), [differences])
  const ranges = useMemo(() => rangesOf(streams, before, sameScale), [streams, before, sameScale])
  const shown = useMemo(() => streams.slice(0, lanes), [streams, lanes])
  const sound = loaded ? source.sound : undefined
  // The notes stay while the window moves.
  const parts = useMemo(() => once(() => rollOf(streams, sound)), [streams, sound])
  const sceneOf = useMemo(() => {
    const scenes = new Map<PictureKind, Scene>()
    return (kind: PictureKind) => {
      const known = scenes.get(kind)
      if (known) return known
      const common = { kind, before, window, ranges, together, chosen }
      const scene: Scene =
        kind === 'roll'
          ? { ...common, streams: streams.slice(0, parts().length), parts: parts() }
          : { ...common, streams: kind === 'heat' ? streams : shown }
      scenes.set(kind, scene)
      return scene
    }
  }, [streams, shown, before, window, ranges, together, chosen, parts])

  return {
    steps,
    step,
    explained: Math.min(playhead.playing && loaded ? chosenStep : step, last),
    chosen,
    window,
    together,
    sameScale,
    lanes: shown.length,
    differences,
    setStep(next) {
      setChosenStep(next)
      if (loaded) transport.seek(next)
    },
    setChosen,
    setWindow,
    setTogether,
    setSameScale,
    showMore: () => setLanes(lanes + LANES_AT_ONCE),
    sceneOf,
  }
}

/** Value axes, each of a stream and what it is compared with, or one of all. */
function rangesOf(
  streams: GoodRun['streams'],
  before: Scene['before'],
  sameScale: boolean,
): readonly (readonly [number, number])[] {
  const ends = streams.map(({ data }, index) => {
    const pinned = before?.[index]
    return [data, ...(pinned ? [pinned] : [])].flatMap((each) => {
      const { min, max } = statisticsOf(each)
      return [min, max]
    })
  })
  if (!sameScale) return ends.map((each) => valueRange(extentOf(each)))
  const all = valueRange(extentOf(ends.flat()))
  return ends.map(() => all)
}

const SILENT = new Int8Array()

function rollOf(streams: GoodRun['streams'], sound: Parameters<typeof arrange>[1] = {}): readonly RollPart[] {
  return arrange(streams, sound).paths.map((path) =>
    path.instrument === 'silent'
      ? { notes: SILENT, levels: new Uint8Array(), isMuted: true }
      : { ...partOf(path.data, path), isMuted: path.muted },
  )
}

/** Describes a piano roll in words. */
export function describeRoll({ streams, parts = [], window }: Scene): string {
  const sounding = parts.filter(({ notes, isMuted }) => !isMuted && notes.some((note) => note !== REST))
  const notes = sounding
    .flatMap(rowsOf)
    .reduce((sum, row) => sum + row.notes.filter((note) => note !== REST).length, 0)
  if (notes === 0) return 'Piano roll: no voice sounds.'
  return `Piano roll of ${streams.length} voices, of which ${sounding.length} sound with ${notes} notes; steps ${window.first} to ${window.last} are in sight.`
}

function once<T>(make: () => T): () => T {
  let cache: { readonly value: T } | undefined
  return () => {
    cache ??= { value: make() }
    return cache.value
  }
}
