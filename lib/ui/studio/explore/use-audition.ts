'use client'

import { useCallback, useEffect, useRef } from 'react'
import { type ConnectorEntry, tabKey } from '../document/types.ts'
import type { Stream } from '../preview/run.ts'
import { type Source, transport } from '../transport/transport.ts'
import type { Sheet, Variation } from './engine/messages.ts'

/** Steps that are drawn, and played. */
export const SHOWN_STEPS = 64

/**
 * Lends the transport what is looked at: while it plays, a variation takes over at the next step. What was loaded
 * before is loaded again in the end.
 */
export function useAudition(entry: ConnectorEntry): (sheet: Sheet, variation: Variation) => void {
  const before = useRef<Source>(undefined)
  const key = tabKey({ kind: 'entry', entryId: entry.id })
  const { name, sound } = entry
  useEffect(() => {
    before.current = transport.getState().source
    return () => {
      if (before.current && transport.getState().source !== before.current) transport.load(before.current)
    }
  }, [])
  return useCallback(
    (sheet, variation) => {
      const own = before.current?.key === key ? before.current : undefined
      transport.load({
        key,
        name,
        streams: streamsOf(sheet, variation),
        sound: own?.sound ?? sound ?? NO_SOUND,
        onSound: own?.onSound ?? ignore,
      })
    },
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
