'use client'

import { Menu as BaseMenu } from '@base-ui/react/menu'
import { type ReactNode, useRef } from 'react'
import { shortcutText } from '#lib/browser/shortcut.ts'
import { useMac } from './shortcut.ts'

/** An entry of a menu: a command, or a link to a page. */
export interface MenuItem {
  readonly id: string
  readonly label: string
  /** As `matchesShortcut` reads it. */
  readonly shortcut?: string | undefined
  readonly enabled?: boolean
  readonly run?: () => void
  readonly href?: string | undefined
}

/** Styles that menus share. */
export const MENU_ITEM =
  'flex min-h-9 cursor-pointer items-center gap-6 rounded-md px-3 text-sm outline-none data-highlighted:bg-sunk data-disabled:cursor-default data-disabled:text-ink-soft data-disabled:opacity-60 touch:min-h-11'
export const MENU_POPUP =
  'max-h-(--available-height) min-w-52 overflow-y-auto rounded-lg border border-edge bg-raised p-1 shadow-lg outline-none'

/**
 * A button that opens a menu of commands, each with its shortcut.
 *
 * @param label Accessible name of the button.
 * @param trigger What the button shows.
 * @param groups Separated by lines.
 */
export function Menu({
  label,
  trigger,
  groups,
  className = '',
  marks,
}: {
  label: string
  trigger: ReactNode
  groups: readonly (readonly MenuItem[])[]
  className?: string
  /** Data attributes of the button. */
  marks?: Readonly<Record<`data-${string}`, string>>
}) {
  const mac = useMac()
  const chosen = useRef<() => void>(undefined)
  return (
    <BaseMenu.Root
      modal={false}
      // After the menu has closed and the focus is back at the button: a command may move it further.
      onOpenChangeComplete={(open) => {
        const run = chosen.current
        chosen.current = undefined
        if (!open && run !== undefined) setTimeout(run)
      }}
    >
      <BaseMenu.Trigger
        {...marks}
        aria-label={label}
        title={label}
        className={`inline-flex min-h-9 cursor-pointer items-center gap-1.5 rounded-md px-2 text-sm transition-colors hover:bg-sunk touch:min-h-11 ${className}`}
      >
        {trigger}
      </BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner className="z-menu" sideOffset={4} align="start" collisionPadding={8}>
          <BaseMenu.Popup className={MENU_POPUP}>
            {groups
              .filter((group) => group.length > 0)
              .map((group, index) => (
                <BaseMenu.Group
                  key={group[0]?.id}
                  className={index === 0 ? '' : 'mt-1 border-line border-t pt-1'}
                >
                  {group.map(({ id, label: name, shortcut, enabled = true, run, href }) =>
                    href === undefined ? (
                      <BaseMenu.Item
                        key={id}
                        disabled={!enabled}
                        onClick={() => {
                          chosen.current = run
                        }}
                        className={MENU_ITEM}
                      >
                        <span className="flex-1">{name}</span>
                        {shortcut === undefined ? null : (
                          <kbd className="mono text-ink-soft text-xs touch:hidden">
                            {shortcutText(shortcut, mac)}
                          </kbd>
                        )}
                      </BaseMenu.Item>
                    ) : (
                      <BaseMenu.LinkItem key={id} href={href} className={MENU_ITEM}>
                        {name}
                      </BaseMenu.LinkItem>
                    ),
                  )}
                </BaseMenu.Group>
              ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}
