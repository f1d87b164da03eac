'use client'

import { useSearchParams } from 'next/navigation'
import { useRef } from 'react'

const NAME = 'world'

/** The World that the page's address opens in place: `?world=`. Going back closes it. */
export function useOpened(): {
  readonly id: string | undefined
  open(id: string): void
  close(): void
} {
  const id = useSearchParams().get(NAME) || undefined
  /** Whether the entry of the history before this one is the gallery without it. */
  const entered = useRef(false)
  return {
    id,
    open(next) {
      const url = new URL(location.href)
      url.searchParams.set(NAME, next)
      entered.current = true
      history.pushState(null, '', url)
    },
    close() {
      const url = new URL(location.href)
      if (!url.searchParams.has(NAME)) return
      if (entered.current) {
        entered.current = false
        history.back()
        return
      }
      url.searchParams.delete(NAME)
      history.replaceState(null, '', url)
    },
  }
}
