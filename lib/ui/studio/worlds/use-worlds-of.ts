'use client'

import { useMemo } from 'react'
import type { SlotChoice } from '../../../domain/world-slots.ts'
import { useStudio } from '../context.tsx'
import { attachWorld, detachWorld, feedSlot, MAX_ATTACHED, worldsOf } from '../document/attached-worlds.ts'
import type { AttachedWorld } from '../document/types.ts'

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
  const { store, state, say } = useStudio()
  const { worlds } = state.document
  const attached = useMemo(() => worldsOf({ worlds }, of), [worlds, of])
  return {
    attached,
    room: attached.length < MAX_ATTACHED,
    attach({ id, name }) {
      store.edit(`Attach ${name}`, (document) => attachWorld(document, of, id))
      say(`${name} draws what this connector generates.`)
    },
    detach({ id, name }) {
      store.edit(`Take ${name} away`, (document) => detachWorld(document, of, id))
      say(`Took ${name} away.`)
    },
    feed(world, choice) {
      store.edit(`Feed ${choice.slot}`, (document) => feedSlot(document, of, world, choice))
    },
  }
}
