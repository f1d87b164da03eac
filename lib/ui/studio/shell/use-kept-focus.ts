import { type RefObject, useEffect, useRef } from 'react'

const ROWS = '[role=treegrid] [data-row]'

/**
 * Keeps the focus where its owner left it when what has it goes: a line that Undo takes back, a button that has done
 * its work. It moves to the line in that place, or else to the area, and not to the top of the page.
 *
 * @returns for the area, which needs `tabIndex={-1}`.
 */
export function useKeptFocus<E extends HTMLElement>(): RefObject<E | null> {
  const area = useRef<E>(null)
  useEffect(() => {
    const root = area.current
    if (root === null) return
    let held: { readonly element: Element; readonly row: number } | undefined

    const takes = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      const row = target.closest(ROWS)
      held = { element: target, row: row === null ? -1 : [...root.querySelectorAll(ROWS)].indexOf(row) }
    }
    // What is only left stays on the page; the browser says the same of what is taken off it.
    const leaves = () => queueMicrotask(() => held?.element.isConnected && forget())
    const forget = () => {
      if (held?.element !== document.activeElement) held = undefined
    }
    const observer = new MutationObserver(() => {
      if (held === undefined || held.element.isConnected) return
      const { row } = held
      held = undefined
      if (document.activeElement !== document.body) return
      const rows = root.querySelectorAll<HTMLElement>(ROWS)
      const next = row < 0 ? undefined : rows[Math.min(row, rows.length - 1)]
      ;(next ?? root).focus({ preventScroll: next === undefined })
    })
    root.addEventListener('focusin', takes)
    root.addEventListener('focusout', leaves)
    observer.observe(root, { childList: true, subtree: true })
    return () => {
      root.removeEventListener('focusin', takes)
      root.removeEventListener('focusout', leaves)
      observer.disconnect()
    }
  }, [])
  return area
}
