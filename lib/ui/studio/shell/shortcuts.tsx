'use client'

import { shortcutText } from '#lib/browser/shortcut.ts'
import { useMac } from '#lib/ui/components/shortcut.ts'

const GROUPS: readonly { readonly title: string; readonly keys: readonly (readonly [string, string])[] }[] = [
  {
    title: 'Anywhere',
    keys: [
      ['Mod+Z', 'Undo'],
      ['Mod+Shift+Z', 'Redo'],
      ['Mod+K', 'Find, and every command'],
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
  {
    title: 'In a number',
    keys: [
      ['ArrowUp', 'One more; ten with Shift'],
      ['ArrowDown', 'One less; ten with Shift'],
      ['Alt+Enter', 'Make it a knob, reset, explain'],
      ['Escape', 'While it is dragged: back to what it was'],
    ],
  },
]

/** Every shortcut on one page. */
export function Shortcuts() {
  const mac = useMac()
  return GROUPS.map(({ title, keys }) => (
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
  ))
}
