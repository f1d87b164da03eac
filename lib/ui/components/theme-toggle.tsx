'use client'

import { useSyncExternalStore } from 'react'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'
import { DARK, THEME_SWITCH } from './theme-script.ts'

/** True while dark colours are shown, by choice or by the system. In browsers only. */
export function darkShown(): boolean {
  const theme = document.documentElement.dataset.theme
  return theme ? theme === 'dark' : window.matchMedia(DARK).matches
}

/** Calls `changed` whenever the shown theme may have changed; returns the way to stop. */
export function watchTheme(changed: () => void): () => void {
  const system = window.matchMedia(DARK)
  const choice = new MutationObserver(changed)
  choice.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  system.addEventListener('change', changed)
  return () => {
    choice.disconnect()
    system.removeEventListener('change', changed)
  }
}

/** Switch between light and dark, shown here and served by the script in `<head>`. */
export function ThemeToggle() {
  const dark = useSyncExternalStore(watchTheme, darkShown, () => false)
  return (
    <IconButton
      label="Dark theme"
      size="size-10 [&>svg]:size-5"
      aria-pressed={dark}
      title={dark ? 'Use light theme' : 'Use dark theme'}
      {...{ [THEME_SWITCH]: '' }}
      className="scripted"
    >
      <svg viewBox="0 0 20 20" className="size-5" aria-hidden="true">
        <circle cx="10" cy="10" r="6.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d="M10 3.75a6.25 6.25 0 0 1 0 12.5z" fill="currentColor" />
      </svg>
    </IconButton>
  )
}
