'use client'

import { Toggle } from '@base-ui/react/toggle'
import { ToggleGroup } from '@base-ui/react/toggle-group'
import type { ReactNode } from 'react'

/** One of a few in a row; arrow keys move between them. */
export function Segmented<T extends string>({
  label,
  choices,
  value,
  onChoose,
  className = '',
}: {
  label: string
  choices: readonly (readonly [value: T, text: ReactNode])[]
  value: T | undefined
  onChoose: (value: T) => void
  className?: string
}) {
  return (
    <ToggleGroup
      aria-label={label}
      value={value === undefined ? [] : [value]}
      // Pressing the chosen one again would leave none.
      onValueChange={([next]) => next !== undefined && onChoose(next)}
      className={`flex w-fit max-w-full flex-wrap rounded-md border border-edge p-0.5 ${className}`}
    >
      {choices.map(([each, text]) => (
        <Toggle
          key={each}
          value={each}
          className="min-h-7 cursor-pointer rounded-sm px-2.5 text-sm transition-colors [overflow-wrap:anywhere] hover:bg-sunk aria-pressed:bg-ink aria-pressed:text-ground touch:min-h-10"
        >
          {text}
        </Toggle>
      ))}
    </ToggleGroup>
  )
}
