'use client'

import { Autocomplete } from '@base-ui/react/autocomplete'
import { useState } from 'react'
import { shortcutText } from '#lib/browser/shortcut.ts'
import { useSuggestions } from '#lib/features/search/ui/index.ts'
import { kindName } from '#lib/protocol/kind-name.ts'
import type { Action } from '#lib/studio/actions.ts'
import { find } from '#lib/studio/document/find.ts'
import { TextField } from '#lib/ui/kit/field.tsx'
import { useMac } from '#lib/ui/kit/shortcut.ts'
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
export function Palette({ commands, onDone }: { commands: readonly Action[]; onDone: () => void }) {
  const mac = useMac()
  const [query, setQuery] = useState('')
  const own = useOwn(query)
  const published = usePublishedHits(query)
  const matching = commands
    .filter(({ label, enabled, id }) => enabled && id !== 'palette' && matches(label, query))
    .map((item): Choice => {
      const detail = item.shortcut === undefined ? '' : shortcutText(item.shortcut, mac)
      return { key: `command ${item.id}`, text: item.label, code: false, detail, run: item.run }
    })
  const choices = query.trim() === '' ? [...matching, ...own] : [...own, ...matching, ...published]
  const go = ({ run }: Choice) => {
    onDone()
    // After the dialog has given the focus back: what is run may move it.
    setTimeout(run)
  }
  return (
    <Autocomplete.Root
      inline
      open
      items={choices}
      filter={null}
      autoHighlight="always"
      keepHighlight
      itemToStringValue={({ text }: Choice) => text}
      value={query}
      onValueChange={(text, { reason }) => reason === 'input-change' && setQuery(text)}
    >
      <Autocomplete.Input
        // The dialog is opened to type here.
        render={<TextField autoFocus maxLength={128} spellCheck={false} className="mt-2" />}
        aria-label="Commands, your work, and everything published"
      />
      <p role="status" className="sr-only">
        {choices.length} found
      </p>
      <Autocomplete.List aria-label="Found" className="mt-2 max-h-[50vh] min-h-24 overflow-y-auto">
        {(choice: Choice) => (
          <Autocomplete.Item
            key={choice.key}
            value={choice}
            onClick={() => go(choice)}
            className="flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3 py-1 text-sm data-highlighted:bg-sunk data-highlighted:outline-2 data-highlighted:outline-accent data-highlighted:-outline-offset-2 touch:min-h-11"
          >
            <span className={`min-w-0 flex-1 [overflow-wrap:anywhere] ${choice.code ? 'mono' : ''}`}>
              {choice.text}
            </span>
            <span className="shrink-0 text-ink-soft text-xs">{choice.detail}</span>
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
      {choices.length === 0 ? <p className="px-3 text-ink-soft text-sm">Nothing is called that.</p> : null}
    </Autocomplete.Root>
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
