/** Why nothing was copied, as a sentence. */
export const COPY_REFUSED = 'The browser does not let pages copy.'

/**
 * Copies a text, while a press is handled. Pages without TLS have no clipboard of their own, and copy what is selected.
 *
 * @returns false where the browser lets no page copy.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

/** @returns the text; undefined where the browser lets no page read it: by keys one can paste all the same. */
export async function readClipboard(): Promise<string | undefined> {
  try {
    return await navigator.clipboard.readText()
  } catch {
    return undefined
  }
}

function copySelected(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'fixed top-0 left-0 opacity-0'
  // A modal dialog lets nothing outside of it take the focus.
  const place = focused?.closest('[role=dialog], dialog') ?? document.body
  place.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
