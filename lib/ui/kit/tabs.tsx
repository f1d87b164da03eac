'use client'

import { Tabs as BaseTabs } from '@base-ui/react/tabs'

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
  return (
    <BaseTabs.Root value={chosen} onValueChange={onChoose} className="contents">
      <BaseTabs.List activateOnFocus aria-label={label} className={`flex ${className}`}>
        {names.map(([value, seen, read]) => (
          <BaseTabs.Tab
            key={value}
            value={value}
            // Its panel is elsewhere on the page.
            id={tabId(panelOf(value), value)}
            aria-controls={panelOf(value)}
            data-shows={value}
            aria-label={read}
            title={read}
            className={`shrink-0 cursor-pointer border-transparent border-b-2 text-ink-soft text-sm outline-offset-[-2px] hover:text-ink aria-selected:border-accent aria-selected:font-medium aria-selected:text-ink ${look}`}
          >
            {seen}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
    </BaseTabs.Root>
  )
}

export function tabId(panel: string, value: string): string {
  return `${panel}-tab-${value}`
}
