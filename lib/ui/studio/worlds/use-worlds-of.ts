'use client'

import { useEffect, useMemo } from 'react'
import type { SlotChoice } from '#lib/protocol/world-slots.ts'
import {
  attachWorld,
  detachWorld,
  feedSlot,
  MAX_ATTACHED,
  worldsOf,
} from '#lib/studio/document/attached-worlds.ts'
import type { AttachedWorld } from '#lib/studio/document/types.ts'
import type { RunPayload } from '#lib/studio/runs/run.ts'
import { useValue } from '#lib/ui/components/value.ts'
import type { CaptureOffer } from '#lib/ui/world/use-capture.ts'
import { useCurrentSession, useRun, useSession } from '../common/session.tsx'

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
  const { document: store, announce } = useCurrentSession()
  const worlds = useSession(({ document }) => document.worlds)
  const attached = useMemo(() => worldsOf({ worlds }, of), [worlds, of])
  return {
    attached,
    room: attached.length < MAX_ATTACHED,
    attach({ id, name }) {
      store.edit(`Attach ${name}`, (document) => attachWorld(document, of, id))
      announce(`${name} draws what this piece plays.`)
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

/** Why there is no room for another World. */
export function fullOf(): string {
  return `A piece feeds ${MAX_ATTACHED} Worlds at most: take one away first.`
}

/** Hands the Worlds of a connector the run that they draw, until unmount. @param of `tabKey` of its tab. */
export function useAnnounceRun(of: string, payload: RunPayload | undefined): void {
  const { drawn } = useRun(of)
  useEffect(() => {
    if (payload !== undefined) drawn.setState(payload)
  }, [drawn, payload])
  useEffect(() => () => drawn.setState(undefined), [drawn])
}

/** The run that the Worlds of a connector draw; undefined for none. */
export function useDrawnRun(of: string): RunPayload | undefined {
  return useValue(useRun(of).drawn)
}

/** Says what a World of a connector can be captured as; undefined for nothing any more. */
export function useCaptureOffer(
  of: string,
): (world: string, name: string, offer: CaptureOffer | undefined) => void {
  const { captured } = useRun(of)
  return (world, name, offer) => {
    const others = captured.getState().filter((each) => each.world !== world)
    const { captures = [], capture, record } = offer ?? {}
    captured.setState(capture ? [...others, { world, name, captures, capture, record }] : others)
  }
}
