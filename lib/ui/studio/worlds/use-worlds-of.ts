'use client'

import { useMemo } from 'react'
import { useStudio } from '../context.tsx'
import { attachWorld, detachWorld, MAX_ATTACHED, worldsOf } from '../document/attached-worlds.ts'
import type { AttachedWorld } from '../document/types.ts'

export interface WorldsOf {
  readonly attached: readonly AttachedWorld[]
  /** Whether there is room for another one. */
  readonly room: boolean
  attach(world: { readonly id: string; readonly name: string }): void
  detach(world: { readonly id: string; readonly name: string }): void
}

/** The Worlds of a connector, kept with what is open. @param of `tabKey` of its tab. */
export function useWorldsOf(of: string): WorldsOf {
  const { store, state, say } = useStudio()
  const { view } = state
  const attached = useMemo(() => worldsOf(view, of), [view, of])
  return {
    attached,
    room: attached.length < MAX_ATTACHED,
    attach({ id, name }) {
      store.setView((before) => attachWorld(before, of, id))
      say(`${name} draws what this connector generates.`)
    },
    detach({ id, name }) {
      store.setView((before) => detachWorld(before, of, id))
      say(`Took ${name} away.`)
    },
  }
}
