'use client'

import { useSyncExternalStore } from 'react'

/** The fields of a keyboard event that a shortcut is matched against. */
export interface Stroke {
  readonly key: string
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
}

/**
 * Whether a key stroke is a shortcut such as `Mod+Shift+Z`, `Alt+ArrowUp`, `A` or `Delete`. `Mod` is Command on a Mac
 * and Control elsewhere; backspace counts as delete, as some keyboards have only that.
 */
export function matchesShortcut(stroke: Stroke, shortcut: string): boolean {
  const parts = shortcut.split('+')
  const key = parts.at(-1) ?? ''
  const pressed = stroke.key === 'Backspace' ? 'Delete' : stroke.key
  return (
    pressed.toLowerCase() === key.toLowerCase() &&
    stroke.altKey === parts.includes('Alt') &&
    // A question mark needs shift on most keyboards.
    (stroke.shiftKey === parts.includes('Shift') || key === '?') &&
    (stroke.ctrlKey || stroke.metaKey) === parts.includes('Mod')
  )
}

const KEY_SYMBOLS = new Map([
  ['ArrowUp', '↑'],
  ['ArrowDown', '↓'],
  ['ArrowLeft', '←'],
  ['ArrowRight', '→'],
  ['Delete', 'Del'],
  ['Escape', 'Esc'],
])

/** A shortcut as displayed: `Ctrl Shift Z`, `⌘ Z`. */
export function shortcutText(shortcut: string, mac: boolean): string {
  return shortcut
    .split('+')
    .map((part) => {
      if (part === 'Mod') return mac ? '⌘' : 'Ctrl'
      if (part === 'Alt') return mac ? '⌥' : 'Alt'
      if (part === 'Shift') return mac ? '⇧' : 'Shift'
      return KEY_SYMBOLS.get(part) ?? part
    })
    .join(' ')
}

/** True on Apple's keyboards. */
export function useMac(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => /mac|iphone|ipad/i.test(navigator.userAgent),
    () => false,
  )
}
