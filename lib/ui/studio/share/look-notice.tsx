'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { takeKeepOnArrival } from './link.ts'
import type { LookState } from './look.ts'

/** Over the window: what the address led to, and the ways on. */
export function LookNotice({
  state,
  onKeep,
  onLeave,
}: {
  state: LookState
  /** @param arrived Whether it was chosen before the studio was opened. */
  onKeep: (arrived: boolean) => Promise<void>
  onLeave: () => void
}) {
  const [keeping, setKeeping] = useState(false)
  const [arriving, setArriving] = useState(false)
  const isOpen = state.kind === 'open'
  const arrive = useEffectEvent(() => {
    if (!takeKeepOnArrival()) return
    setArriving(true)
    void onKeep(true).finally(() => setArriving(false))
  })
  useEffect(() => {
    if (isOpen) arrive()
  }, [isOpen])
  if (state.kind === 'none') return null
  if (state.kind === 'opening' || arriving) {
    return (
      <p role="status" className="border-line border-b bg-sunk px-3 py-2 text-sm">
        Opening what this link holds…
      </p>
    )
  }
  const small = 'min-h-9 px-3 text-sm pointer-coarse:min-h-11'
  return (
    <section
      aria-label="Shared draft"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-calm-line border-b bg-calm px-3 py-1.5 text-sm"
    >
      {state.kind === 'failed' ? (
        <p role="alert" className="min-w-0 flex-1 basis-64 [overflow-wrap:anywhere]">
          {state.sentence}
        </p>
      ) : (
        <p className="min-w-0 flex-1 basis-64">
          <strong className="[overflow-wrap:anywhere]">{state.look.name}</strong> was shared with you. Play
          and change it as you like: your own work stays as it is.
        </p>
      )}
      <span className="flex gap-2">
        {isOpen ? (
          <Button
            look="primary"
            className={small}
            disabled={keeping}
            onClick={() => {
              setKeeping(true)
              void onKeep(false).finally(() => setKeeping(false))
            }}
          >
            Keep this
          </Button>
        ) : null}
        <Button className={small} onClick={onLeave}>
          To my own work
        </Button>
      </span>
    </section>
  )
}
