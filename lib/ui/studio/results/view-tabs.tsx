'use client'

import { type KeyboardEvent, useRef } from 'react'
import type { ResultView } from '../common/editor-choice.ts'

/** What is seen, and what is read out. */
const NAMES: Readonly<Record<ResultView, readonly [string, string]>> = {
  world: ['World', 'World'],
  lines: ['Lines', 'Lines'],
  steps: ['Steps', 'Steps'],
  roll: ['Roll', 'Piano roll'],
  heat: ['Heat', 'Heat map'],
  histogram: ['Histogram', 'Histogram'],
  table: ['Table', 'Table'],
}

export function viewName(view: ResultView): string {
  return NAMES[view][1]
}

/** Chooses a view. @param id Of the panel: `viewTabId` of it is the tab that names the panel. */
export function ViewTabs({
  id,
  label,
  views,
  view,
  onView,
}: {
  id: string
  label: string
  views: readonly ResultView[]
  view: ResultView
  onView: (view: ResultView) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const at = views.indexOf(view)
    const next = new Map([
      ['ArrowRight', (at + 1) % views.length],
      ['ArrowLeft', (at + views.length - 1) % views.length],
      ['Home', 0],
      ['End', views.length - 1],
    ]).get(event.key)
    if (next === undefined) return
    event.preventDefault()
    onView(views[next]!)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      onKeyDown={onKeyDown}
      className="flex min-w-0 max-w-full overflow-x-auto border-line border-b [scrollbar-width:none]"
    >
      {views.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={viewTabId(id, each)}
          aria-selected={each === view}
          aria-controls={id}
          aria-label={NAMES[each][1]}
          title={NAMES[each][1]}
          tabIndex={each === view ? 0 : -1}
          onClick={() => onView(each)}
          className="min-h-9 shrink-0 cursor-pointer border-transparent border-b-2 px-2 text-ink-soft text-sm outline-offset-[-2px] hover:text-ink aria-selected:border-accent aria-selected:font-medium aria-selected:text-ink pointer-coarse:min-h-11"
        >
          {NAMES[each][0]}
        </button>
      ))}
    </div>
  )
}

export function viewTabId(id: string, view: ResultView): string {
  return `${id}-${view}`
}
