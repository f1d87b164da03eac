'use client'

import { useSyncExternalStore } from 'react'
import { shortcutText } from './shortcut.ts'

/** Something that can be done with the selection. Toolbar, keyboard and help read the same list. */
export interface Action {
  readonly id: string
  readonly label: string
  /** As `matchesShortcut` reads it; `Mod` is Command on a Mac and Control elsewhere. */
  readonly shortcut: string
  readonly enabled: boolean
  /** The shortcut fires an event of the browser, which needs no permission; the button must request it. */
  readonly native?: true
  readonly run: () => void
}

/** True on Apple's keyboards. */
export function useMac(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => /mac|iphone|ipad/i.test(navigator.userAgent),
    () => false,
  )
}

/** The actions for the chosen line as buttons, each with its shortcut beside it. */
export function ActionBar({ actions, label }: { actions: readonly Action[]; label: string }) {
  const mac = useMac()
  return (
    <div
      role="toolbar"
      aria-label={label}
      className="sticky top-0 z-[1] flex overflow-x-auto border-ink border-b-2 bg-ground py-1 sm:flex-wrap"
    >
      {actions.map(({ id, label: name, shortcut, enabled, run }) => (
        <button
          key={id}
          type="button"
          aria-disabled={!enabled}
          aria-keyshortcuts={shortcut.replaceAll('Mod', mac ? 'Meta' : 'Control')}
          // The chosen item retains the focus, so that one action can follow another.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => enabled && run()}
          className="inline-flex min-h-10 shrink-0 pointer-coarse:min-h-11 cursor-pointer items-center gap-1.5 rounded-md px-1.5 text-sm transition-colors hover:bg-sunk aria-disabled:cursor-default aria-disabled:text-ink-soft aria-disabled:opacity-60"
        >
          {name}
          <kbd className="mono rounded-sm border border-line px-1 text-ink-soft text-xs max-sm:hidden pointer-coarse:hidden">
            {shortcutText(shortcut, mac)}
          </kbd>
        </button>
      ))}
    </div>
  )
}
