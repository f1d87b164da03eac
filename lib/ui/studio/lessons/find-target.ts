import type { Id } from '../document/types.ts'
import type { Target } from './lesson.ts'

/** What to point at. Not always the control itself: the way to it counts, too. */
export interface FoundTarget {
  readonly element: HTMLElement
  /** Whether it is the control, not what leads to it. */
  readonly itself: boolean
}

/**
 * The control of a step on the page as it is: where it is hidden in a part that is closed, what opens that part.
 *
 * @param front The entry in front.
 * @param within The entry in whose editor the control is; its name in the lists leads there.
 */
export function findTarget(
  { control }: Target,
  within: { readonly id: Id; readonly name: string } | undefined,
  front: Id | undefined,
): FoundTarget | undefined {
  if (within !== undefined && within.id !== front) {
    const line = shown([...all('[data-studio] aside button')].filter((each) => startsWith(each, within.name)))
    return line && { element: line.element, itself: false }
  }
  const found = shown(
    'css' in control
      ? [...all(control.css)]
      : [...all(control.bar ? '[role=toolbar] button' : 'button')].filter((each) =>
          startsWith(each, control.button),
        ),
  )
  return found ?? wayToOutline()
}

/** Lessons speak of the outline; the graph has other controls. */
function wayToOutline(): FoundTarget | undefined {
  const pressed = [...all('[data-studio] fieldset button[aria-pressed="false"]')]
  const button = pressed.find((each) => each.textContent === 'Outline' && isVisible(each))
  return button && { element: button, itself: false }
}

/** The first that is on the screen, else what opens the part it is in. */
function shown(elements: readonly HTMLElement[]): FoundTarget | undefined {
  const apart = elements.filter((each) => each.closest('[data-lesson], [role=dialog]') === null)
  const visible = apart.find(isVisible)
  if (visible !== undefined) return { element: visible, itself: true }
  for (const each of apart) {
    const summary = each.closest('details:not([open])')?.querySelector('summary')
    if (summary && isVisible(summary)) return { element: summary, itself: false }
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
