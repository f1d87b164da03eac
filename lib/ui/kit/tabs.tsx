'use client'

import { type KeyboardEvent, useRef } from 'react'
import { Press } from './button.tsx'

/**
 * Tabs of one or several panels; arrow keys, Home and End move between them.
 *
 * @param names By tab, in their order: what is seen, and what is read out.
 * @param panelOf The id of the panel that a tab shows; `tabId` of it is the tab that names the panel.
 */
export function Tabs<T extends string>({
  label,
  names,
  chosen,
  panelOf,
  onChoose,
  className,
  look,
}: {
  label: string
  names: readonly (readonly [value: T, seen: string, read?: string])[]
  chosen: T
  panelOf: (value: T) => string
  onChoose: (value: T) => void
  className: string
  look: string
}) {
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const at = names.findIndex(([value]) => value === chosen)
    const next = new Map([
      ['ArrowRight', (at + 1) % names.length],
      ['ArrowLeft', (at + names.length - 1) % names.length],
      ['Home', 0],
      ['End', names.length - 1],
    ]).get(event.key)
    if (next === undefined) return
    event.preventDefault()
    onChoose(names[next]![0])
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <div ref={list} role="tablist" aria-label={label} onKeyDown={onKeyDown} className={`flex ${className}`}>
      {names.map(([value, seen, read]) => (
        <Press
          key={value}
          role="tab"
          id={tabId(panelOf(value), value)}
          data-shows={value}
          aria-selected={value === chosen}
          aria-controls={panelOf(value)}
          aria-label={read}
          title={read}
          tabIndex={value === chosen ? 0 : -1}
          onClick={() => onChoose(value)}
          className={`shrink-0 border-transparent border-b-2 text-ink-soft text-sm outline-offset-[-2px] hover:text-ink aria-selected:border-accent aria-selected:font-medium aria-selected:text-ink ${look}`}
        >
          {seen}
        </Press>
      ))}
    </div>
  )
}

export function tabId(panel: string, value: string): string {
  return `${panel}-tab-${value}`
}
