import type { ClipboardEvent } from 'react'
import { isMac, shortcutText } from '#lib/browser/shortcut.ts'
import { type Action, type Handler, keyOfAction } from '#lib/studio/actions.ts'
import { COPY_REFUSED, copyText, readClipboard } from '#lib/ui/kit/clipboard.ts'

/** Writes text to the clipboard and announces the outcome. */
export async function copyAnnounced(
  text: string,
  announce: (text: string) => void,
  done = 'Copied.',
): Promise<boolean> {
  const copied = await copyText(text)
  announce(copied ? done : COPY_REFUSED)
  return copied
}

export interface ClipboardSource {
  /** Copied part, as text; undefined when nothing can be copied. */
  readonly copied: string | undefined
  readonly pasteText: (text: string) => void
}

/** The buttons Copy and Paste of an editor. */
export function clipboardActions(
  { copied, pasteText }: ClipboardSource,
  announce: (text: string) => void,
): { readonly copy: Handler; readonly paste: Handler } {
  return {
    copy: {
      enabled: copied !== undefined,
      run: () => copied !== undefined && void copyAnnounced(copied, announce),
    },
    paste: {
      run: async () => {
        const text = await readClipboard()
        if (text === undefined)
          announce(
            `The browser lets no page read the clipboard here: paste with ${shortcutText(keyOfAction('paste'), isMac())}.`,
          )
        else pasteText(text)
      },
    },
  }
}

/** The clipboard events of an editor. Events in its fields have the browser's default behaviour. */
export function clipboardHandlers(
  { copied, pasteText }: ClipboardSource,
  {
    editable,
    remove,
    announce,
  }: {
    readonly editable: boolean
    /** The action that cutting performs after copying. */
    readonly remove: Action | undefined
    readonly announce: (text: string) => void
  },
) {
  const inField = ({ target }: ClipboardEvent) => target instanceof HTMLInputElement
  const onCopy = (event: ClipboardEvent) => {
    if (inField(event) || copied === undefined) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', copied)
    announce('Copied.')
  }
  return {
    onCopy,
    onCut: (event: ClipboardEvent) => {
      if (inField(event) || !editable || copied === undefined || !remove?.enabled) return
      onCopy(event)
      remove.run()
    },
    onPaste: (event: ClipboardEvent) => {
      if (inField(event) || !editable) return
      event.preventDefault()
      pasteText(event.clipboardData.getData('text/plain'))
    },
  }
}
