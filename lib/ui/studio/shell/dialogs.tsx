'use client'

import { useState } from 'react'
import { useMac } from '../common/action-bar.tsx'
import { useStudio } from '../common/context.tsx'
import { StudioDialog } from '../common/dialog.tsx'
import { shortcutText } from '../common/shortcut.ts'
import { find } from '../document/find.ts'
import { refKey } from '../document/node-ref.ts'

const MAX_SHOWN = 50

/** Finds names, arguments and lines of bodies. */
export function FindDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <StudioDialog open={open} onOpenChange={onOpenChange} title="Find">
      <Finder onDone={() => onOpenChange(false)} />
    </StudioDialog>
  )
}

function Finder({ onDone }: { onDone: () => void }) {
  const { state, store, openTab } = useStudio()
  const [query, setQuery] = useState('')
  const hits = find(state.document, query)
  const names = new Map(state.document.entries.map(({ id, name }) => [id, name]))
  return (
    <>
      <input
        type="search"
        // biome-ignore lint/a11y/noAutofocus: the dialog is opened to type here
        autoFocus
        aria-label="Text to find in names, arguments and bodies"
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        className="mono mt-2 min-h-11 w-full rounded-md border border-edge bg-ground px-3 text-sm"
      />
      <p role="status" className="py-2 text-ink-soft text-sm">
        {query.trim() === '' ? 'Names, arguments, and lines of bodies.' : `${hits.length} found`}
      </p>
      <ul>
        {hits.slice(0, MAX_SHOWN).map(({ at, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one node may be found by several of its lines
          <li key={`${refKey(at)}${index}`}>
            <button
              type="button"
              onClick={() => {
                openTab({ kind: 'entry', entryId: at.entryId })
                store.select([at])
                onDone()
              }}
              className="flex min-h-10 w-full cursor-pointer items-baseline gap-3 rounded-md px-2 py-1.5 text-left text-sm hover:bg-sunk"
            >
              <span className="mono min-w-0 flex-1 [overflow-wrap:anywhere]">{text}</span>
              <span className="mono shrink-0 text-ink-soft text-xs">{names.get(at.entryId)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

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
  return (
    <StudioDialog open={open} onOpenChange={onOpenChange} title="Shortcuts" focusTitle>
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
    </StudioDialog>
  )
}
