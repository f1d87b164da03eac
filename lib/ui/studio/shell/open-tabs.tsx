'use client'

import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { IconButton } from '../../components/icon-button.tsx'
import { useStudio } from '../common/context.tsx'
import { type Tab, tabKey, withoutTab } from '../document/types.ts'
import { SmallMark } from './entry-list.tsx'

/** What is open, the one in front marked. */
export function OpenTabs() {
  const { store, state, openTab } = useStudio()
  const { view, document } = state
  const strip = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab in front is brought into sight
  useEffect(() => {
    const tab = strip.current?.querySelector('[aria-current]')?.parentElement?.getBoundingClientRect()
    const shown = strip.current?.getBoundingClientRect()
    if (tab === undefined || shown === undefined) return
    const by = tab.left < shown.left ? tab.left - shown.left : Math.max(0, tab.right - shown.right)
    strip.current?.scrollBy({ left: by })
  }, [view.active])
  if (view.tabs.length === 0) return null
  const entries = new Map(document.entries.map((entry) => [entry.id, entry]))
  const describe = (tab: Tab) => {
    if (tab.kind === 'published') return { kind: tab.entity, name: tab.name }
    const entry = entries.get(tab.entryId)
    return entry && { kind: entry.kind, name: entry.name || 'no name yet' }
  }
  return (
    <nav ref={strip} aria-label="Open" className="h-full overflow-x-auto [scrollbar-width:none]">
      <ul className="flex h-full gap-0.5">
        {view.tabs.map((tab) => {
          const key = tabKey(tab)
          const what = describe(tab)
          if (what === undefined) return null
          const current = key === view.active
          return (
            <li
              key={key}
              className={`flex shrink-0 items-center border-b-2 ${current ? 'border-accent' : 'border-transparent'} ${tab.kind === 'published' ? 'italic' : ''}`}
            >
              <button
                type="button"
                aria-current={current ? 'page' : undefined}
                onClick={() => openTab(tab)}
                className="mono flex min-h-10 max-w-44 cursor-pointer items-center gap-1 pr-1 pl-2 text-sm hover:text-accent pointer-coarse:min-h-11"
              >
                <SmallMark kind={what.kind} />
                <span className="truncate">{what.name}</span>
                {tab.kind === 'published' ? <span className="sr-only">read-only</span> : null}
              </button>
              <IconButton
                label={`Close ${what.name}`}
                size="size-8"
                onClick={() => store.setView((before) => withoutTab(before, key))}
              >
                <X aria-hidden="true" />
              </IconButton>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
