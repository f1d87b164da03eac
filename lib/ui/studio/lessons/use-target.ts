import { useCallback } from 'react'
import { type Id, tabInFront } from '#lib/studio/document/types.ts'
import type { Snapshot, Step, Target } from '#lib/studio/lessons/lesson.ts'
import { useCurrentSession } from '../common/session.tsx'

/** Time for a part of the page to appear. */
const TIMEOUT_MS = 5_000

/** Finds the control of a step, opens what it is in, and focuses it. */
export function useTargetOf(step: Step | undefined, snapshot: Snapshot) {
  const { document: store, openTab } = useCurrentSession()
  const control = JSON.stringify(step?.target?.control)
  const within = step?.target?.within
  const entry = within === undefined ? undefined : snapshot.entry(within)
  const [entryId, name] = [entry?.id, entry?.name ?? '']

  // biome-ignore lint/correctness/useExhaustiveDependencies: the control by its value
  const find = useCallback((): FoundTarget | undefined => {
    const target = step?.target
    if (target === undefined) return undefined
    const front = tabInFront(store.getState().view)
    const inFront = front?.kind === 'entry' ? front.entryId : undefined
    return findTarget(target, entryId === undefined ? undefined : { id: entryId, name }, inFront)
  }, [store, control, entryId, name])

  /** Opens what the control is in. */
  const lead = useCallback(
    (arrive: (element: HTMLElement) => void) => {
      if (entryId !== undefined) openTab({ kind: 'entry', entryId })
      const until = performance.now() + TIMEOUT_MS
      const attempt = () => {
        const target = find()
        if (target?.itself) return arrive(target.element)
        // The line of an entry was opened above; what else leads to the control is a voice that is not chosen, or a switch or
        // a pane that is closed.
        const way = target?.element
        if (way?.role === 'row') way.focus({ preventScroll: true })
        else if (way && [way.ariaPressed, way.ariaSelected, way.ariaExpanded].includes('false')) way.click()
        if (performance.now() < until) requestAnimationFrame(attempt)
        else if (target) focus(target.element)
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
  scrollInPane(element)
  const inner = element.matches('[role=treegrid]')
    ? element.querySelector<HTMLElement>('[tabindex="0"]')
    : element
  inner?.focus({ preventScroll: true })
}

/** Scrolls a control that is out of sight to the middle of its pane. `scrollIntoView` would move the whole studio, too. */
export function scrollInPane(element: HTMLElement): void {
  const pane = element.closest<HTMLElement>('[data-pane], [data-parts]')
  if (pane === null) return
  const [box, frame] = [element.getBoundingClientRect(), pane.getBoundingClientRect()]
  if (box.top >= frame.top && box.bottom <= frame.bottom) return
  pane.scrollBy({ top: box.top + box.height / 2 - (frame.top + frame.height / 2) })
}

/** An element to highlight: the control, or what leads to it. */
export interface FoundTarget {
  readonly element: HTMLElement
  /** Whether it is the control, not what leads to it. */
  readonly itself: boolean
}

/**
 * The control of a step; where it is hidden, what opens the part it is in.
 *
 * @param front The entry in front.
 * @param within The entry whose editor has the control.
 */
function findTarget(
  { control }: Target,
  within: { readonly id: Id; readonly name: string } | undefined,
  front: Id | undefined,
): FoundTarget | undefined {
  if (within !== undefined && within.id !== front) {
    const line = shown([...all('[data-parts] button')].filter((each) => startsWith(each, within.name)))
    return line ? { element: line.element, itself: false } : wayToParts()
  }
  const element = shown(
    'css' in control
      ? [...all(control.css)]
      : [...all(control.bar ? '[role=toolbar] button' : 'button')].filter((each) =>
          startsWith(each, control.button),
        ),
  )
  return element ?? wayToOutline() ?? (within === undefined ? wayToParts() : wayToVoice())
}

/** Lessons speak of the score; the graph has other controls. */
function wayToOutline(): FoundTarget | undefined {
  const pressed = [...all('[data-studio] button[aria-pressed="false"]')]
  const button = pressed.find((each) => each.textContent === 'Score' && isVisible(each))
  return button && { element: button, itself: false }
}

/** Some numbers of a voice are there while it is chosen. */
function wayToVoice(): FoundTarget | undefined {
  const row = shown([...all('[role=treegrid] [role=row][tabindex="0"]')])
  return row && { element: row.element, itself: false }
}

/** The parts may be folded away. */
function wayToParts(): FoundTarget | undefined {
  const toggle = document.querySelector<HTMLElement>('[data-opens-parts][aria-expanded="false"]')
  return toggle && isVisible(toggle) ? { element: toggle, itself: false } : undefined
}

/** The first that is on the screen, else the tab of the pane it is in. */
function shown(elements: readonly HTMLElement[]): FoundTarget | undefined {
  const apart = elements.filter((each) => each.closest('[data-lesson], [role=dialog]') === null)
  const visible = apart.find(isVisible)
  if (visible !== undefined) return { element: visible, itself: true }
  for (const each of apart) {
    const pane = each.closest<HTMLElement>('[data-pane]')?.dataset.pane
    const tab = document.querySelector<HTMLElement>(`[data-shows="${pane}"]`)
    if (tab && isVisible(tab)) return { element: tab, itself: false }
  }
  return undefined
}

function all(selector: string): NodeListOf<HTMLElement> {
  return document.querySelectorAll<HTMLElement>(selector)
}

function isVisible(element: HTMLElement): boolean {
  return element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
}

function startsWith(element: HTMLElement, text: string): boolean {
  return (element.textContent ?? '').trim().startsWith(text)
}
