'use client'

import { useState } from 'react'

const MAX_PARTICLES = 65_536

/** How many particles: any number, or one of the powers that are often wanted. */
export function CountField({ count, onCount }: { count: number; onCount: (count: number) => void }) {
  const [typed, setTyped] = useState<string>()
  const settle = (text: string | undefined) => {
    setTyped(undefined)
    const value = Number(text)
    if (text && Number.isInteger(value)) onCount(Math.min(MAX_PARTICLES, Math.max(1, value)))
  }
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        settle(typed)
      }}
    >
      <label className="flex items-center gap-2 text-sm">
        How many
        <input
          inputMode="numeric"
          value={typed ?? String(count)}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => settle(typed)}
          className="mono min-h-10 w-24 rounded-md border border-edge bg-raised px-2 text-right text-sm pointer-coarse:min-h-11"
        />
      </label>
      {[
        ['Half as many', '÷2', count / 2],
        ['Twice as many', '×2', count * 2],
      ].map(([label, sign, next]) => (
        <button
          key={label}
          type="button"
          aria-label={String(label)}
          disabled={Number(next) < 1 || Number(next) > MAX_PARTICLES}
          onClick={() => onCount(Math.floor(Number(next)))}
          className="mono min-h-10 min-w-10 cursor-pointer rounded-md border border-edge text-sm hover:border-accent hover:text-accent disabled:cursor-default disabled:opacity-50 pointer-coarse:min-h-11 pointer-coarse:min-w-11"
        >
          {sign}
        </button>
      ))}
    </form>
  )
}
