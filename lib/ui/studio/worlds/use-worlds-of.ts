'use client'

import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { createValue } from '#lib/browser/value.ts'
import type { WorldStatePayload } from '#lib/core/worlds/sdk/protocol.ts'
import type { SlotChoice } from '#lib/protocol/world-slots.ts'
import {
  attachWorld,
  detachWorld,
  feedSlot,
  MAX_ATTACHED,
  worldsOf,
} from '#lib/studio/document/attached-worlds.ts'
import type { AttachedWorld } from '#lib/studio/document/types.ts'
import { useValue } from '#lib/ui/components/value.ts'
import type { CaptureOffer } from '#lib/ui/world/use-capture.ts'
import { useStudio } from '../common/context.tsx'

export interface WorldsOf {
  readonly attached: readonly AttachedWorld[]
  /** Whether there is room for another one. */
  readonly room: boolean
  attach(world: { readonly id: string; readonly name: string }): void
  detach(world: { readonly id: string; readonly name: string }): void
  /** Feeds a slot of one of them; an empty name takes the choice back. */
  feed(world: string, choice: SlotChoice): void
}

/** The Worlds of a connector, a part of the document. @param of `tabKey` of its tab. */
export function useWorldsOf(of: string): WorldsOf {
  const { store, state, announce } = useStudio()
  const { worlds } = state.document
  const attached = useMemo(() => worldsOf({ worlds }, of), [worlds, of])
  return {
    attached,
    room: attached.length < MAX_ATTACHED,
    attach({ id, name }) {
      store.edit(`Attach ${name}`, (document) => attachWorld(document, of, id))
      announce(`${name} draws what this connector generates.`)
    },
    detach({ id, name }) {
      store.edit(`Take ${name} away`, (document) => detachWorld(document, of, id))
      announce(`Took ${name} away.`)
    },
    feed(world, choice) {
      store.edit(`Feed ${choice.slot}`, (document) => feedSlot(document, of, world, choice))
    },
  }
}

/*
 * The shown run of each connector, for Worlds elsewhere on the page: a store apart from the document's context, so
 * that typing in the graph does not render the results.
 */

const runs = createValue<ReadonlyMap<string, WorldStatePayload>>(new Map())

/** Publishes the run that the Worlds of a connector draw, until unmount. @param of `tabKey` of its tab. */
export function useAnnounceRun(of: string, payload: WorldStatePayload | undefined): void {
  useEffect(() => {
    if (payload !== undefined) runs.setState(new Map(runs.getState()).set(of, payload))
  }, [of, payload])
  useEffect(() => () => runs.setState(new Map([...runs.getState()].filter(([other]) => other !== of))), [of])
}

/** The run that the Worlds of a connector draw; undefined for none. */
export function useDrawnRun(of: string): WorldStatePayload | undefined {
  return useSyncExternalStore(
    runs.subscribe,
    () => runs.getState().get(of),
    () => undefined,
  )
}

/** A World on the page that can be captured. */
export interface CapturedWorld extends CaptureOffer {
  /** `tabKey` of the connector's tab. */
  readonly of: string
  readonly world: string
  readonly name: string
}

const captured = createValue<readonly CapturedWorld[]>([])

/** Says what a World of a connector can be captured as; undefined for nothing any more. */
export function offerCapture(
  { of, world, name }: Pick<CapturedWorld, 'of' | 'world' | 'name'>,
  offer: CaptureOffer | undefined,
): void {
  const others = captured.getState().filter((each) => each.of !== of || each.world !== world)
  const { captures = [], capture } = offer ?? {}
  captured.setState(capture ? [...others, { of, world, name, captures, capture }] : others)
}

/** The Worlds of a connector that can be captured now. */
export function useCapturedWorlds(of: string): readonly CapturedWorld[] {
  const all = useValue(captured)
  return useMemo(() => all.filter((each) => each.of === of), [all, of])
}
