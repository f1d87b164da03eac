'use client'

import { Ellipsis, Plus } from 'lucide-react'
import type { Action } from '#lib/studio/actions.ts'
import { Menu } from '#lib/ui/kit/menu.tsx'

/** What is added as buttons, and everything else that can be done with the chosen line in a menu beside them. */
export function ActionBar({ actions, label }: { actions: readonly Action[]; label: string }) {
  const adding = actions.filter(({ id }) => id.startsWith('add-'))
  return (
    <div
      role="toolbar"
      aria-label={label}
      className="sticky top-0 z-raised flex shrink-0 items-center overflow-x-auto border-line border-b bg-ground py-0.5"
    >
      {adding.map(({ id, label: name, enabled, run }) => (
        <button
          key={id}
          type="button"
          aria-disabled={!enabled}
          // The chosen item retains the focus, so that one action can follow another.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => enabled && run()}
          className="inline-flex min-h-9 shrink-0 touch:min-h-11 cursor-pointer items-center gap-1 rounded-md px-2 text-sm transition-colors hover:bg-sunk aria-disabled:cursor-default aria-disabled:text-ink-soft aria-disabled:opacity-60"
        >
          <Plus className="size-3.5" aria-hidden="true" />
          {name}
        </button>
      ))}
      <Menu
        label="More for the chosen line"
        marks={{ 'data-line-menu': '' }}
        className="ml-auto shrink-0"
        trigger={<Ellipsis className="size-4" aria-hidden="true" />}
        groups={[actions.filter((action) => !adding.includes(action))]}
      />
    </div>
  )
}
