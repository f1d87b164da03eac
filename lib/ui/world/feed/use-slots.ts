'use client'

import { useEffect, useMemo, useRef } from 'react'
import type { ParticleStream } from '#lib/core/worlds/sdk/protocol.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import {
  type BoundSet,
  boundSet,
  othersOf,
  primaryOf,
  type SlotChoice,
  scalarsOf,
} from '#lib/protocol/world-slots.ts'
import type { RunPayload } from '#lib/studio/runs/run.ts'
import { useAnswer } from '#lib/ui/components/use-answer.ts'
import { executeRun, simulateRun } from '#lib/ui/run/requests.ts'
import type { PluginWorld } from '#lib/views/gallery.ts'
import type { ChainRunState, Run } from '#lib/views/run.ts'
import { type DrawnRun, formatOf, runPayload, withSlots } from '../run-payload.ts'

/** Delay after typing and sliding. */
const DEBOUNCE_MS = 200

/** By name of the connector. */
type Runs = ReadonlyMap<string, Run | ChainRunState>

/**
 * Runs the connectors of a World's other slots, as many steps and at the same block as the run that feeds it.
 *
 * @param payload That run; what is drawn before the others are here is what was drawn before.
 */
export function useSlots(
  payload: RunPayload | undefined,
  set: BoundSet | undefined,
): {
  readonly payload: RunPayload | undefined
  readonly runs: Runs
} {
  const count = payload?.particlesCount
  const block = payload?.executionProvenance?.block_hash as Hash | undefined
  const others = othersOf(set)
  const key = others.length > 0 && count !== undefined ? JSON.stringify([others, count, block]) : undefined
  const answer = useAnswer(
    key,
    async (signal): Promise<Runs> => {
      const run = async (connector: string) => {
        const request = { connector, count: count ?? 0, dynamicRi: [] }
        const run = block ? executeRun(request, block, signal) : simulateRun(request, signal)
        return [connector, await run] as const
      }
      return new Map(await Promise.all(others.map(run)))
    },
    DEBOUNCE_MS,
  )
  const runs = answer !== undefined && answer.key === key ? answer.value : NOTHING
  const busy = key !== undefined && answer?.key !== key
  const whole = useMemo(() => {
    if (payload === undefined || set === undefined) return payload
    const streams = new Map<string, readonly ParticleStream[]>()
    for (const [name, run] of runs) if (run.state === 'particles') streams.set(name, run.streams)
    return withSlots(payload, set, streams)
  }, [payload, set, runs])
  const before = useRef<RunPayload | undefined>(undefined)
  useEffect(() => {
    if (!busy) before.current = whole
  }, [busy, whole])
  return { payload: busy ? before.current : whole, runs }
}

const NOTHING: Runs = new Map()

const NO_CHOICES: readonly SlotChoice[] = []

/** A run that a World of the studio draws: its length is that of its streams. */
interface FedRun extends Pick<DrawnRun, 'connector' | 'streams' | 'formatHash' | 'address'> {
  readonly starts?: RunPayload['dynamicRiInput']
}

/**
 * Payload that a World of the studio draws of a connector.
 *
 * @param slots Connectors chosen for its other slots.
 */
export function useFed(
  { needs }: Pick<PluginWorld, 'needs'>,
  { connector: name, streams, starts, formatHash, address }: FedRun,
  slots: readonly SlotChoice[] = NO_CHOICES,
): RunPayload | undefined {
  const drawn = useMemo(
    () => ({
      ...runPayload(
        { connector: name, count: streams[0]?.data.length ?? 0, streams, dynamicRi: [], formatHash, address },
        'studio-plugin',
      ),
      ...(starts !== undefined && { dynamicRiInput: starts }),
    }),
    [name, streams, starts, formatHash, address],
  )
  const scalars = scalarsOf(streams).join(' ')
  const set = useMemo(
    () => boundSet(needs, primaryOf({ name, scalars: scalars.split(' ') }, needs), slots),
    [needs, name, scalars, slots],
  )
  return useSlots(drawn, set).payload
}

/** Format of a connector all of whose streams are here. */
export function useFormat(streams: readonly ParticleStream[]): Hash {
  return useMemo(() => formatOf(streams), [streams])
}
