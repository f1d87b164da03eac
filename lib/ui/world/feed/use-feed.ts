'use client'

import { useEffect, useMemo, useRef, useState } from 'react'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import { runHref } from '#lib/protocol/run-link.ts'
import type { StartLine } from '#lib/protocol/running-instance.ts'
import { type Compatibility, type WorldNeeds, worldCompatibility } from '#lib/protocol/world-compatibility.ts'
import { countOutside, countRange, type WorldLimits, within } from '#lib/protocol/world-manifest.ts'
import { type BoundSet, boundSet, primaryOf, type SlotChoice, withChoice } from '#lib/protocol/world-slots.ts'
import type { RunPayload } from '#lib/studio/runs/run.ts'
import {
  NO_STARTS,
  type ReadStarts,
  readTypedStarts,
  type TypedStarts,
  typedStartsOf,
} from '#lib/studio/runs/typed-starts.ts'
import { useAnswer } from '#lib/ui/components/use-answer.ts'
import { type RunRequest, simulateRun } from '#lib/ui/run/requests.ts'
import { PAGE_PARTICLES, type Run } from '#lib/views/run.ts'
import { runPayload } from '../run-payload.ts'
import { fetchStarts } from './fetch-starts.ts'
import { randomStarts } from './random-starts.ts'
import { useSlots } from './use-slots.ts'

/** Delay after typing and sliding. */
const DEBOUNCE_MS = 200
/** Draws before the best of them is taken. */
const DRAWS = 6

export interface Starts {
  readonly lines: readonly StartLine[]
  readonly more: boolean
}

/** The initial feed of a World. */
export interface Delivered {
  readonly connector: string
  /** Undefined for a piece without one. */
  readonly title: string | undefined
  readonly count: number
  readonly dynamicRi: readonly PositionedRunningInstance[]
  readonly compatibility: Compatibility
  /** Names of the World's slots whose values it carries. */
  readonly carries: readonly string[]
  readonly slots: readonly SlotChoice[]
  readonly formatHash: Hash
  /** Undefined for a draft. */
  readonly address: Address | undefined
  readonly starts: Starts | undefined
  /** The whole of it, or its beginning. */
  readonly run: Run
}

interface Answer extends RunRequest {
  readonly key: string
  readonly run: Run
}

/** Metadata of the connector. */
interface About {
  readonly connector: string
  /** Undefined for a piece without one, and while it is not known. */
  readonly title: string | undefined
  readonly compatibility: Compatibility | undefined
  /** Undefined while it is not known. */
  readonly carries: readonly string[] | undefined
  readonly formatHash: Hash | undefined
  readonly address: Address | undefined
  readonly starts: Starts | undefined
}

export interface Feed {
  readonly request: RunRequest
  readonly typed: TypedStarts
  readonly read: ReadStarts
  readonly about: About
  /** The newest answer; `undefined` until the whole of the first is here. */
  readonly run: Run | undefined
  readonly busy: boolean
  /** For the World: the last run that generated, with those of its slots. */
  readonly payload: RunPayload | undefined
  /** The same run for another World, which has other slots. */
  readonly alone: RunPayload | undefined
  /** Choices for slots of the World, and what feeds them; undefined for a World that has none. */
  readonly slots: readonly SlotChoice[]
  readonly set: BoundSet | undefined
  readonly slotRuns: ReturnType<typeof useSlots>['runs']
  /** Number of values outside the World's limits. */
  readonly outside: number
  choose(connector: string): void
  setCount(count: number): void
  setTyped(typed: TypedStarts): void
  /** An empty name takes a choice back. */
  feedSlot(choice: SlotChoice): void
  /** Starts drawn at random until the connector generates within what the World takes, or a few times at most. */
  randomise(): void
}

/**
 * Feeds a World: which connector, how many steps, where they start, and the run that follows from it, within the
 * World's limits.
 *
 * @param delivered What the page came with; read once.
 */
export function useFeed(
  delivered: Delivered,
  world: { readonly needs: WorldNeeds; readonly limits: WorldLimits | undefined },
): Feed {
  const { needs, limits } = world
  const [chosen, setChosen] = useState({ connector: delivered.connector, count: delivered.count })
  const [typed, setTyped] = useState(() => typedStartsOf(delivered.dynamicRi))
  const [answer, setAnswer] = useState<Answer | undefined>(() => whole(delivered))
  const [drawn, setDrawn] = useState<Answer | undefined>(
    answer?.run.state === 'particles' ? answer : undefined,
  )
  const [slots, setSlots] = useState(delivered.slots)
  const [drawing, setDrawing] = useState(false)
  const drawings = useRef<AbortController | undefined>(undefined)
  const read = useMemo(() => readTypedStarts(typed), [typed])
  /** The last valid overrides. */
  const [dynamicRi, setDynamicRi] = useState(delivered.dynamicRi)
  const request: RunRequest = { ...chosen, dynamicRi }
  const key = runHref(request)
  const current = answer?.key === key || !read.ok

  const type = (next: TypedStarts) => {
    const now = readTypedStarts(next)
    setTyped(next)
    if (now.ok) setDynamicRi(now.dynamicRi)
  }
  const settle = (next: Answer) => {
    setAnswer(next)
    if (next.run.state === 'particles') setDrawn(next)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is all of `request`
  useEffect(() => {
    if (current || drawing) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      simulateRun(request, stop.signal).then(
        (run) => settle({ ...request, key, run }),
        () => {
          // Only an aborted run rejects.
        },
      )
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [key, current, drawing])

  const { connector } = chosen
  const startsAnswer = useAnswer(connector === delivered.connector ? undefined : connector, async () => {
    const { lines, more, ...offered } = await fetchStarts(connector)
    const { carries } = primaryOf(offered, needs)
    const { title, formatHash, address } = offered
    const compatibility = worldCompatibility(needs, offered)
    return { title, compatibility, carries, formatHash, address, starts: { lines, more } }
  })
  const about = useMemo(
    (): About =>
      connector === delivered.connector
        ? delivered
        : { ...EMPTY, ...(startsAnswer?.key === connector && startsAnswer.value), connector },
    [connector, delivered, startsAnswer],
  )

  useEffect(() => () => drawings.current?.abort(), [])

  const { formatHash, address } = about.connector === drawn?.connector ? about : EMPTY
  const alone = useMemo(
    () =>
      drawn?.run.state === 'particles'
        ? runPayload({ ...drawn, formatHash, address, streams: drawn.run.streams })
        : undefined,
    [drawn, formatHash, address],
  )
  const set = useMemo(
    () =>
      about.carries ? boundSet(needs, { name: about.connector, carries: about.carries }, slots) : undefined,
    [about, needs, slots],
  )
  const { payload, runs: slotRuns } = useSlots(alone, set)
  const outside = useMemo(
    () => (drawn?.run.state === 'particles' ? countOutside(limits, drawn.run.streams) : 0),
    [drawn, limits],
  )

  const randomise = async () => {
    const lines = about.starts?.lines
    if (lines === undefined) return
    drawings.current?.abort()
    const stop = new AbortController()
    drawings.current = stop
    setDrawing(true)
    try {
      const best = await drawBest(request, lines, limits, stop.signal)
      type(best.typed)
      settle({ ...best.request, key: runHref(best.request), run: best.run })
      setDrawing(false)
    } catch {
      // Aborted by a newer action.
    }
  }
  const change = (act: () => void) => {
    drawings.current?.abort()
    setDrawing(false)
    act()
  }

  return {
    request,
    typed,
    read,
    about,
    run: answer?.run,
    busy: !current || drawing,
    payload,
    alone,
    slots,
    set,
    slotRuns,
    outside,
    feedSlot: (choice) => setSlots((before) => withChoice(before, choice)),
    choose: (next) =>
      change(() => {
        if (next === connector) return
        setChosen({ connector: next, count: chosen.count })
        type(NO_STARTS)
      }),
    setCount: (count) =>
      change(() => setChosen({ ...chosen, count: within(Math.round(count), countRange(limits)) })),
    setTyped: (next) => change(() => type(next)),
    randomise: () => void randomise(),
  }
}

const EMPTY = {
  title: undefined,
  compatibility: undefined,
  carries: undefined,
  formatHash: undefined,
  address: undefined,
  starts: undefined,
}

/** Answer that came with the page, where it is not only a beginning. */
function whole({ connector, count, dynamicRi, run }: Delivered): Answer | undefined {
  const complete =
    run.state === 'particles'
      ? run.streams.length === run.paths && count <= PAGE_PARTICLES
      : run.state !== 'unavailable'
  const request = { connector, count, dynamicRi }
  return complete ? { ...request, key: runHref(request), run } : undefined
}

async function drawBest(
  request: RunRequest,
  lines: readonly StartLine[],
  limits: WorldLimits | undefined,
  signal: AbortSignal,
): Promise<{ readonly typed: TypedStarts; readonly request: RunRequest; readonly run: Run }> {
  let best: { typed: TypedStarts; request: RunRequest; run: Run; outside: number } | undefined
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const typed = randomStarts(lines, limits)
    const read = readTypedStarts(typed)
    const next = { ...request, dynamicRi: read.ok ? read.dynamicRi : [] }
    const run = await simulateRun(next, signal)
    signal.throwIfAborted()
    const outside = run.state === 'particles' ? countOutside(limits, run.streams) : Number.POSITIVE_INFINITY
    if (best === undefined || outside < best.outside) best = { typed, request: next, run, outside }
    if (outside === 0 || run.state === 'unavailable') break
  }
  return best!
}
