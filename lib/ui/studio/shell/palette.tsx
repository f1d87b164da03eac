'use client'

import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { shortcutText } from '#lib/browser/shortcut.ts'
import { useSuggestions } from '#lib/features/search/ui/index.ts'
import { kindName } from '#lib/protocol/kind-name.ts'
import type { Action } from '#lib/studio/actions.ts'
import { find } from '#lib/studio/document/find.ts'
import { TextField } from '#lib/ui/kit/field.tsx'
import { useMac } from '#lib/ui/kit/shortcut.ts'
import { StudioDialog } from '../common/dialog.tsx'
import { useCurrentSession, useDocument } from '../common/session.tsx'

const MAX_OF_A_KIND = 12

/** Something that the palette can do. */
interface Choice {
  readonly key: string
  readonly text: string
  readonly code: boolean
  readonly detail: string
  readonly run: () => void
}

/** One field for everything: commands, one's own work, and what is published. */
export function Palette({
  open,
  onOpenChange,
  commands,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  commands: readonly Action[]
}) {
  return (
    <StudioDialog open={open} onOpenChange={onOpenChange} title="Find and commands">
      <Choices commands={commands} onDone={() => onOpenChange(false)} />
    </StudioDialog>
  )
}

function Choices({ commands, onDone }: { commands: readonly Action[]; onDone: () => void }) {
  const id = useId()
  const mac = useMac()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const own = useOwn(query)
  const published = usePublishedHits(query)
  const matching = commands
    .filter(({ label, enabled, id: item }) => enabled && item !== 'palette' && matches(label, query))
    .map((item): Choice => {
      const detail = item.shortcut === undefined ? '' : shortcutText(item.shortcut, mac)
      return { key: `command ${item.id}`, text: item.label, code: false, detail, run: item.run }
    })
  const choices = query.trim() === '' ? [...matching, ...own] : [...own, ...matching, ...published]
  const chosen = Math.min(at, choices.length - 1)

  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, chosen])
  const go = (choice: Choice | undefined) => {
    if (choice === undefined) return
    onDone()
    // After the dialog has given the focus back: what is run may move it.
    setTimeout(choice.run)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Enter') {
      event.preventDefault()
      go(choices[chosen])
    } else if (by !== 0 && choices.length > 0) {
      event.preventDefault()
      setAt((chosen + by + choices.length) % choices.length)
    }
  }
  return (
    <>
      <TextField
        role="combobox"
        // The dialog is opened to type here.
        autoFocus
        aria-label="Commands, your work, and everything published"
        aria-autocomplete="list"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={choices.length === 0 ? undefined : `${id}-${chosen}`}
        spellCheck={false}
        maxLength={128}
        value={query}
        onText={(text) => {
          setQuery(text)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        className="mt-2"
      />
      <p role="status" className="sr-only">
        {choices.length} found
      </p>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Found"
        className="mt-2 max-h-[50vh] min-h-24 overflow-y-auto"
      >
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys
          <div
            key={choice.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => go(choice)}
            className="flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3 py-1 text-sm hover:bg-sunk aria-selected:bg-sunk aria-selected:outline-2 aria-selected:outline-accent aria-selected:-outline-offset-2 touch:min-h-11"
          >
            <span className={`min-w-0 flex-1 [overflow-wrap:anywhere] ${choice.code ? 'mono' : ''}`}>
              {choice.text}
            </span>
            <span className="shrink-0 text-ink-soft text-xs">{choice.detail}</span>
          </div>
        ))}
      </div>
      {choices.length === 0 ? <p className="px-3 text-ink-soft text-sm">Nothing is called that.</p> : null}
    </>
  )
}

/** Names, arguments and lines of bodies of the document. */
function useOwn(query: string): readonly Choice[] {
  const { document: store, openTab } = useCurrentSession()
  const document = useDocument()
  const names = new Map(document.entries.map(({ id, name }) => [id, name]))
  const hits =
    query.trim() === ''
      ? document.entries.map(({ id, name }) => ({
          at: { kind: 'entry', entryId: id } as const,
          text: name || 'no name yet',
        }))
      : find(document, query)
  return hits.slice(0, MAX_OF_A_KIND).map(({ at, text }, index) => ({
    key: `own ${index}`,
    text,
    code: true,
    detail: text === names.get(at.entryId) ? 'yours' : `in ${names.get(at.entryId)}`,
    run() {
      openTab({ kind: 'entry', entryId: at.entryId })
      store.select([at])
    },
  }))
}

/** Published entities, as the search of the site finds them. */
function usePublishedHits(query: string): readonly Choice[] {
  const { openTab } = useCurrentSession()
  return useSuggestions(query).map(({ kind, title, name, code, detail, href }) => ({
    key: `published ${href}`,
    text: title,
    code,
    detail: `${kindName(kind)}, ${detail}`,
    run() {
      if (name !== undefined && (kind === 'connector' || kind === 'transformation' || kind === 'condition')) {
        openTab({ kind: 'published', entity: kind, name })
      } else location.assign(href)
    },
  }))
}

function matches(label: string, query: string): boolean {
  const words = query.trim().toLowerCase().split(/\s+/)
  return words.every((word) => label.toLowerCase().includes(word))
}
