'use client'

import { useState } from 'react'
import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'
import type { OfferedWorlds } from './found-worlds.tsx'

const foundWorlds = laterPart(
  'The list of Worlds',
  async () => (await import('./found-worlds.tsx')).FoundWorlds,
)

/** Links to Worlds, loaded when opened. */
export function WorldChoice({ title, ...offered }: OfferedWorlds & { title: string }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <details
      className="scripted"
      onToggle={(event) => {
        if (event.currentTarget.open) setAsked(true)
      }}
    >
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium text-sm">{title}</summary>
      {isAsked ? (
        <LoadLater
          part={foundWorlds}
          props={offered}
          opening={<p className="text-ink-soft text-sm">Asking for Worlds…</p>}
        />
      ) : null}
    </details>
  )
}
