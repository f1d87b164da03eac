/** Name on `window` of what was typed before the page's program listened. */
const EARLY = '__typedEarly'

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Runs in `<head>`: collects every field that changes, until `replayTyped` takes them. */
export const typingScript = `(function(w){var f=w.${EARLY}={fields:new Set(),add:function(e){f.fields.add(e.target)}};addEventListener('input',f.add,true)})(window)`

/**
 * Gives React what was typed before it listened: it takes over fields with the values of the server, and the next
 * rendering would write those back. A field that belongs to no component keeps its text without that.
 */
export function replayTyped(): () => void {
  const early = (window as unknown as { [EARLY]?: { fields: Set<Field>; add: (event: Event) => void } })[
    EARLY
  ]
  if (early === undefined) return () => {}
  let frame = 0
  const end = performance.now() + 30_000
  const replay = () => {
    for (const field of [...early.fields]) {
      if (field.isConnected && !isHeld(field)) continue
      if (field.isConnected) change(field)
      // After the event, which adds it once more.
      early.fields.delete(field)
    }
    // Parts of a page are taken over one after the other.
    if (early.fields.size > 0 && performance.now() < end) frame = requestAnimationFrame(replay)
    else removeEventListener('input', early.add, true)
  }
  replay()
  return () => cancelAnimationFrame(frame)
}

/** Whether React has taken the field over. */
function isHeld(field: Field): boolean {
  return Object.keys(field).some((key) => key.startsWith('__reactProps$'))
}

/** React ignores a change to the value that it saw last: that has to be another one first. */
function change(field: Field): void {
  if (field instanceof HTMLSelectElement) field.dispatchEvent(new Event('change', { bubbles: true }))
  else if (field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type)) {
    const { checked } = field
    field.checked = !checked
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'checked')?.set?.call(field, checked)
    field.dispatchEvent(new Event('click', { bubbles: true }))
  } else {
    const { value, selectionStart, selectionEnd } = field
    const prototype = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement
    field.value = `${value} `
    Object.getOwnPropertyDescriptor(prototype.prototype, 'value')?.set?.call(field, value)
    if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
