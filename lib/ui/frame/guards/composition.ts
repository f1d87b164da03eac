/**
 * Keeps the keys of an input method from every handler of the page: Enter, Escape and arrows that belong to a
 * composition choose among its candidates. Safari ends a composition before its Enter arrives, with `keyCode` 229 alone
 * left to tell. Editors with a text model of their own need those keys, so they get them, and nothing around them does.
 */
export function guardCompositions(): void {
  for (const type of ['keydown', 'keyup'] as const) addEventListener(type, withhold, { capture: true })
}

function withhold(event: KeyboardEvent): void {
  if (!event.isComposing && event.keyCode !== 229) return
  const editor = event.target instanceof Element ? event.target.closest('[contenteditable]') : null
  const around = editor?.parentElement
  if (around === undefined || around === null) {
    event.stopImmediatePropagation()
    return
  }
  const { type } = event
  const stop = (arrived: Event) => {
    around.removeEventListener(type, stop)
    if (arrived === event) arrived.stopImmediatePropagation()
  }
  around.addEventListener(type, stop)
}
