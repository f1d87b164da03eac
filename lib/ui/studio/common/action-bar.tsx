'use client'

import { Ellipsis, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Action } from '#lib/studio/actions.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { Menu } from '#lib/ui/kit/menu.tsx'

/**
 * Bar of actions: those that add as buttons, the others for the chosen line in a menu beside them.
 *
 * @param children A field for the chosen line.
 */
export function ActionBar({
  actions,
  label,
  children,
}: {
  actions: readonly Action[]
  label: string
  children?: ReactNode
}) {
  const adding = actions.filter(({ id }) => id.startsWith('add-'))
  return (
    <div
      role="toolbar"
      aria-label={label}
      className="sticky top-0 z-raised flex shrink-0 items-center overflow-x-auto border-line border-b bg-ground py-0.5"
    >
      {adding.map(({ id, label: name, enabled, run }) => (
        <Button
          look="text"
          size="small"
          key={id}
          aria-disabled={!enabled}
          // The chosen item retains the focus, so that one action can follow another.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => enabled && run()}
          className="shrink-0 gap-1 px-2 font-normal"
        >
          <Plus className="size-3.5" aria-hidden="true" />
          {name}
        </Button>
      ))}
      <span className="ml-auto flex shrink-0 items-center gap-2">
        {children}
        <Menu
          label="More for the chosen line"
          marks={{ 'data-line-menu': '' }}
          trigger={<Ellipsis className="size-4" aria-hidden="true" />}
          groups={[actions.filter((action) => !adding.includes(action))]}
        />
      </span>
    </div>
  )
}
