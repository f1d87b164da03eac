/** One step from elements to elements, as Playwright's locators take them. */
export interface Step {
  readonly kind: 'css' | 'role' | 'label' | 'text' | 'having'
  readonly value: string
  /** A name to have; `[source, flags]` of a regular expression. */
  readonly name?: string | readonly [string, string] | undefined
  readonly exact?: boolean | undefined
  readonly first?: boolean | undefined
}

/**
 * Runs in the page: the elements that a locator names, visible or not, with what their state is. As much of roles and
 * accessible names as the suites need.
 */
export function findInPage(steps: readonly Step[]): { element: Element; visible: boolean }[] {
  const ROLES: Readonly<Record<string, string>> = {
    button: 'button,summary,input[type=button],input[type=submit]',
    link: 'a[href]',
    heading: 'h1,h2,h3,h4,h5,h6',
    region: 'section[aria-label],section[aria-labelledby]',
    complementary: 'aside',
    dialog: 'dialog',
    list: 'ul,ol',
    listitem: 'li',
    row: 'tr',
    textbox: 'input:not([type]),input[type=text],textarea',
  }
  const squeeze = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim()
  const visible = (element: Element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible'
  }
  const spoken = (element: Element): string =>
    element.getAttribute('aria-hidden') === 'true'
      ? ''
      : [...element.childNodes]
          .map((node) => {
            if (node.nodeType === 3) return node.textContent ?? ''
            if (!(node instanceof Element) || getComputedStyle(node).display === 'none') return ''
            const inline = getComputedStyle(node).display.startsWith('inline')
            const text = node.getAttribute('aria-label') ?? spoken(node)
            return inline ? text : ` ${text} `
          })
          .join('')
  const labels = (element: Element): string => {
    const named = element.getAttribute('aria-labelledby')
    if (named)
      return named
        .split(' ')
        .map((id) => squeeze(document.getElementById(id)?.textContent))
        .join(' ')
    const own = element.getAttribute('aria-label')
    if (own) return own
    return [...((element as HTMLInputElement).labels ?? [])]
      .map((label) => squeeze(label.textContent))
      .join(' ')
  }
  const nameOf = (element: Element) =>
    squeeze(labels(element)) || squeeze(spoken(element)) || squeeze(element.getAttribute('title'))
  const fits = (text: string, { name, exact }: Step): boolean => {
    if (name === undefined) return true
    if (typeof name !== 'string') return new RegExp(name[0], name[1]).test(text)
    return exact ? text === squeeze(name) : text.toLowerCase().includes(squeeze(name).toLowerCase())
  }
  const take = (root: ParentNode, step: Step): Element[] => {
    if (step.kind === 'css') return [...root.querySelectorAll(step.value)]
    if (step.kind === 'having') {
      return root instanceof Element && fits(squeeze(root.textContent), step) ? [root] : []
    }
    if (step.kind === 'role') {
      const implicit = ROLES[step.value]
      const selector = `[role=${step.value}]${implicit ? `,${implicit.split(',').map((each) => `${each}:not([role])`)}` : ''}`
      return [...root.querySelectorAll(selector)].filter((each) => visible(each) && fits(nameOf(each), step))
    }
    if (step.kind === 'label')
      return [...root.querySelectorAll('*')].filter((each) => labels(each) !== '' && fits(labels(each), step))
    // The innermost elements with the text.
    const having = [...root.querySelectorAll('*')].filter(
      (each) => !['SCRIPT', 'STYLE'].includes(each.tagName) && fits(squeeze(each.textContent), step),
    )
    return having.filter((each) => !having.some((other) => other !== each && each.contains(other)))
  }
  let found: ParentNode[] = [document]
  for (const step of steps) {
    found = [...new Set(found.flatMap((root) => take(root, step)))]
    if (step.first) found = found.slice(0, 1)
  }
  return (found as Element[]).map((element) => ({ element, visible: visible(element) }))
}
