'use client'

import { useSyncExternalStore } from 'react'
import { isMac } from '#lib/browser/shortcut.ts'

/** True on Apple's keyboards. */
export function useMac(): boolean {
  return useSyncExternalStore(
    () => () => {},
    isMac,
    () => false,
  )
}
