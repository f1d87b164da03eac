'use client'

import { lazy, Suspense, useState } from 'react'
import type { OfferedWorlds } from './found-worlds.tsx'

const FoundWorlds = lazy(async () => ({ default: (await import('./found-worlds.tsx')).FoundWorlds }))

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
        <Suspense fallback={<p className="text-ink-soft text-sm">Asking for Worlds…</p>}>
          <FoundWorlds {...offered} />
        </Suspense>
      ) : null}
    </details>
  )
}
