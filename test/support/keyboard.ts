import type { Page } from 'playwright'

/** What has the focus, as a person who reaches it by keys gets to know it. */
interface Stop {
  readonly name: string
  /** Whether the focus is drawn. */
  readonly visible: boolean
}

/**
 * Presses Tab until the focus is on what goes by this name.
 *
 * @param options `back`: with Shift. `most`: presses until giving up.
 * @throws Error when it is not reached, or when the focus cannot be seen at a stop on the way.
 */
export async function tabTo(
  page: Page,
  name: string | RegExp,
  options: { readonly back?: boolean; readonly most?: number } = {},
): Promise<void> {
  const { back = false, most = 90 } = options
  const passed: string[] = []
  for (let presses = 0; presses < most; presses++) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
    const stop = await focused(page)
    // From the end of a page to its beginning.
    if (stop === undefined) continue
    if (!stop.visible && !(await appears(page))) throw new Error(`The focus on “${stop.name}” cannot be seen`)
    if (typeof name === 'string' ? stop.name === name : name.test(stop.name)) return
    passed.push(stop.name)
  }
  throw new Error(`Tab does not reach ${name}; it reaches ${passed.join(', ')}`)
}

/** Editors draw their focus a moment later. */
async function appears(page: Page): Promise<boolean> {
  for (let looks = 0; looks < 10; looks++) {
    await page.waitForTimeout(30)
    if ((await focused(page))?.visible) return true
  }
  return false
}

/** The name of what has the focus; empty when nothing has. */
export async function focusedName(page: Page): Promise<string> {
  return (await focused(page))?.name ?? ''
}

function focused(page: Page): Promise<Stop | undefined> {
  return page.evaluate(() => {
    const at = document.activeElement
    if (!(at instanceof HTMLElement || at instanceof SVGElement) || at === document.body) return undefined
    const said = at.getAttribute('aria-labelledby')?.split(' ')
    const labelled = said?.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
    const labels = at instanceof HTMLInputElement || at instanceof HTMLSelectElement ? at.labels : null
    const name = labelled || at.getAttribute('aria-label') || labels?.[0]?.textContent || at.textContent || ''
    // Some draw it around themselves, some let what encloses them do so.
    let visible = false
    let part: Element | null = at
    for (let up = 0; up < 4 && part !== null && !visible; up++) {
      const { outlineStyle, boxShadow } = getComputedStyle(part)
      visible = outlineStyle !== 'none' || boxShadow !== 'none'
      part = part.parentElement
    }
    return { name: name.replace(/\s+/g, ' ').trim(), visible }
  })
}
