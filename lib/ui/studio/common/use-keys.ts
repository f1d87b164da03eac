import { useEffect, useEffectEvent } from 'react'
import { type ActionId, actionAnywhere } from '#lib/studio/actions.ts'

const USES_SPACE =
  'input, textarea, select, button, a, summary, [contenteditable], [role=button], [role=menuitem], [role=option], [role=dialog]'
/** Fields whose value is no text: they have no history of their own. */
const NO_TEXT = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']

/** Runs the actions of keys that act anywhere. @param run Whether there was something to do. */
export function useKeys(run: (id: ActionId) => boolean): void {
  const act = useEffectEvent(run)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // Editors that have a use of their own for a key have used it already.
      if (event.defaultPrevented) return
      const { target } = event
      const id = actionAnywhere(event, {
        isText: isText(target),
        usesSpace: target instanceof Element && target.closest(USES_SPACE) !== null,
        isComposing: event.isComposing || event.keyCode === 229,
      })
      if (id !== undefined && act(id)) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

function isText(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !NO_TEXT.includes(target.type) && !target.readOnly
  return target instanceof HTMLElement && (target.isContentEditable || target.closest('textarea') !== null)
}
