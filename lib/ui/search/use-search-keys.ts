'use client'

import { type RefObject, useEffect } from 'react'

/** `/` and Mod+K lead to the search box of the page, or to the search page where the window has no room for one. */
export function useSearchKeys(box: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isSearchKey(event)) return
      event.preventDefault()
      const onPage = document.querySelector<HTMLInputElement>('#search-text')
      const target = onPage ?? (box.current?.offsetParent ? box.current : undefined)
      if (target === undefined) location.assign('/search')
      else {
        target.focus()
        target.select()
      }
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [box])
}

function isSearchKey(event: KeyboardEvent): boolean {
  if (event.altKey || event.isComposing) return false
  // In the studio Mod+K finds inside the work.
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    return document.querySelector('[data-studio], [role="dialog"]') === null
  }
  if (event.key !== '/' || event.ctrlKey || event.metaKey) return false
  const target = event.target as HTMLElement
  return (
    !target.isContentEditable &&
    target.closest('input, textarea, select, [contenteditable], [role="dialog"]') === null
  )
}
