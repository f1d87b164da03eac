import { useCallback } from 'react'
import { useStudio } from '../context.tsx'
import { tabKey } from '../document/types.ts'
import { type FoundTarget, findTarget } from './find-target.ts'
import type { Look, Step } from './lesson.ts'

/** How long a part of the page may take to appear. */
const PATIENCE_MS = 5_000

/** Finds the control of a step, and leads people to it. */
export function useTargetOf(step: Step | undefined, look: Look) {
  const { store, openTab } = useStudio()
  const control = JSON.stringify(step?.target?.control)
  const within = step?.target?.within
  const entry = within === undefined ? undefined : look.entry(within)
  const [entryId, name] = [entry?.id, entry?.name ?? '']

  // biome-ignore lint/correctness/useExhaustiveDependencies: the control by its value
  const find = useCallback((): FoundTarget | undefined => {
    const target = step?.target
    if (target === undefined) return undefined
    const { view } = store.getState()
    const front = view.tabs.find((tab) => tabKey(tab) === view.active)
    const inFront = front?.kind === 'entry' ? front.entryId : undefined
    return findTarget(target, entryId === undefined ? undefined : { id: entryId, name }, inFront)
  }, [store, control, entryId, name])

  /** Opens what the control is in. */
  const lead = useCallback(
    (arrive: (element: HTMLElement) => void) => {
      if (entryId !== undefined) openTab({ kind: 'entry', entryId })
      const until = performance.now() + PATIENCE_MS
      const attempt = () => {
        const found = find()
        if (found?.itself) return arrive(found.element)
        if (found?.element.tagName === 'SUMMARY') {
          found.element.closest('details')?.setAttribute('open', '')
        }
        // The line of an entry was opened above; what else leads to the control is a switch between editors.
        if (found?.element.ariaPressed === 'false') found.element.click()
        if (performance.now() < until) requestAnimationFrame(attempt)
        else if (found) focus(found.element)
      }
      requestAnimationFrame(attempt)
    },
    [openTab, find, entryId],
  )

  const show = useCallback(() => lead(focus), [lead])
  const open = useCallback(
    () =>
      lead((element) => {
        focus(element)
        if (element.getAttribute('aria-expanded') !== 'true') element.click()
      }),
    [lead],
  )
  return { find, open, show: step?.target === undefined ? undefined : show }
}

function focus(element: HTMLElement): void {
  element.scrollIntoView({ block: 'center' })
  const inner = element.matches('[role=treegrid]')
    ? element.querySelector<HTMLElement>('[tabindex="0"]')
    : element
  inner?.focus({ preventScroll: true })
}
