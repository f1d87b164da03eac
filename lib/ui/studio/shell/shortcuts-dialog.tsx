'use client'

import { Dialog } from '@base-ui/react/dialog'
import { useRef } from 'react'
import { useMac } from '../outline/action-bar.tsx'
import { shortcutText } from '../shortcut.ts'

const GROUPS: readonly { readonly title: string; readonly keys: readonly (readonly [string, string])[] }[] = [
  {
    title: 'Anywhere',
    keys: [
      ['Mod+Z', 'Undo'],
      ['Mod+Shift+Z', 'Redo'],
      ['Mod+K', 'Find and go'],
      ['?', 'This list, outside fields'],
    ],
  },
  {
    title: 'On a line of the outline',
    keys: [
      ['ArrowUp', 'Line above'],
      ['ArrowDown', 'Line below'],
      ['ArrowRight', 'Open it, or go into its first field'],
      ['ArrowLeft', 'Close it, or go to the line it belongs to'],
      ['Enter', 'Go into its first field'],
      ['A', 'Add a transformation'],
      ['D', 'Add a dimension'],
      ['C', 'Add a condition'],
      ['O', 'Open what it names'],
      ['Mod+D', 'Duplicate'],
      ['Mod+C', 'Copy'],
      ['Mod+X', 'Cut'],
      ['Mod+V', 'Paste'],
      ['Delete', 'Remove'],
    ],
  },
  {
    title: 'In a field of the outline',
    keys: [
      ['Alt+ArrowUp', 'Move its line up, also on the line'],
      ['Alt+ArrowDown', 'Move its line down, also on the line'],
      ['Enter', 'Go to the line below'],
      ['Escape', 'Back to the line'],
    ],
  },
]

/** Every shortcut on one page. */
export function ShortcutsDialog({
  open,
  onOpenChange,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const mac = useMac()
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-veil" />
        <Dialog.Popup
          // Its only button is at the end of a list that is longer than most screens.
          initialFocus={heading}
          className="fixed inset-x-4 top-[8vh] z-20 mx-auto max-h-[80vh] max-w-xl overflow-y-auto rounded-lg border border-edge bg-raised p-5"
        >
          <Dialog.Title ref={heading} tabIndex={-1} className="font-semibold text-lg outline-none">
            Shortcuts
          </Dialog.Title>
          {GROUPS.map(({ title, keys }) => (
            <div key={title} className="mt-4">
              <h3 className="border-line border-b pb-1 font-semibold text-sm">{title}</h3>
              <dl>
                {keys.map(([shortcut, what]) => (
                  <div key={shortcut} className="flex items-baseline gap-4 py-1 text-sm">
                    <dt className="w-28 shrink-0">
                      <kbd className="mono text-xs">{shortcutText(shortcut, mac)}</kbd>
                    </dt>
                    <dd>{what}</dd>
                  </div>
                ))}
              </dl>
            </div>
          ))}
          <Dialog.Close className="mt-4 min-h-11 cursor-pointer rounded-md border border-edge px-4 text-sm hover:border-accent">
            Close
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
