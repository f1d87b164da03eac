'use client'

import { useEffect, useMemo, useRef } from 'react'
import { type Source, transport } from '#lib/studio/sound/transport.ts'

export interface Loan {
  /** Lends the transport a source: while it plays, it takes over at the next step. */
  readonly lend: (source: Source) => void
  /** What was lent stays: it is what is open now. */
  readonly leave: () => void
  /** What the transport had before. */
  readonly own: () => Source | undefined
}

/** Lends the transport what is looked at; in the end it gets back what it had. */
export function useLoan(): Loan {
  const own = useRef<Source>(undefined)
  const lent = useRef<Source>(undefined)
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
      lend(source) {
        lent.current = source
        transport.load(source)
      },
      leave() {
        lent.current = undefined
      },
      own: () => own.current,
    }),
    [],
  )
}
