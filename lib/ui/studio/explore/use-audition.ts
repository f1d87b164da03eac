'use client'

import { useEffect, useMemo, useRef } from 'react'
import { type ConnectorEntry, tabKey } from '../document/types.ts'
import type { Stream } from '../preview/run.ts'
import { type Source, transport } from '../transport/transport.ts'
import type { Sheet, Variation } from './engine/messages.ts'

/** Steps that are drawn, and played. */
export const SHOWN_STEPS = 64

export interface Audition {
  /** Lends the transport a variation: while it plays, it takes over at the next step. */
  readonly lend: (sheet: Sheet, variation: Variation) => void
  /** What was lent stays: it is what is open now. */
  readonly leave: () => void
}

/** Lends the transport what is looked at; in the end it gets back what it had. */
export function useAudition(entry: ConnectorEntry): Audition {
  const own = useRef<Source>(undefined)
  const lent = useRef<Source>(undefined)
  const key = tabKey({ kind: 'entry', entryId: entry.id })
  const { name, sound } = entry
  useEffect(() => {
    // The result below may run again meanwhile.
    const follow = () => {
      const { source } = transport.getState()
      if (source !== lent.current) own.current = source
    }
    follow()
    const unsubscribe = transport.subscribe(follow)
    return () => {
      unsubscribe()
      if (lent.current && own.current && transport.getState().source === lent.current) {
        transport.load(own.current)
      }
    }
  }, [])
  return useMemo(
    () => ({
      lend(sheet, variation) {
        const known = own.current?.key === key ? own.current : undefined
        lent.current = {
          key,
          name,
          streams: streamsOf(sheet, variation),
          sound: known?.sound ?? sound ?? NO_SOUND,
          onSound: known?.onSound ?? ignore,
        }
        transport.load(lent.current)
      },
      leave() {
        lent.current = undefined
      },
    }),
    [key, name, sound],
  )
}

const NO_SOUND = {}
function ignore(): void {}

const streams = new WeakMap<Uint32Array, readonly Stream[]>()

/** The same streams for the same variation: the transport takes over only what is new. */
export function streamsOf({ paths, window }: Sheet, { values }: Variation): readonly Stream[] {
  const known = streams.get(values)
  if (known) return known
  const made = paths.map((path, index) => {
    const from = index * window
    return { path, data: Array.from(values.subarray(from, from + Math.min(window, SHOWN_STEPS))) }
  })
  streams.set(values, made)
  return made
}
