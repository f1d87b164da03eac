'use client'

import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { HitMark } from './hit-mark.tsx'
import type { HitView } from './hit-view.ts'
import { kindName } from './hit-view.ts'
import { useSearchKeys } from './use-search-keys.ts'
import { useSuggestions } from './use-suggestions.ts'

/**
 * The search box of every page: a form that works without a script, and with one a combobox that offers what fits
 * while people type. In narrow windows a link to the search page stands in its place.
 */
export function HeaderSearch() {
  const id = useId()
  const root = useRef<HTMLFormElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  /** Which entry is chosen; the last one leads to all results, -1 is the text itself. */
  const [at, setAt] = useState(-1)
  const hits = useSuggestions(text)
  useSearchKeys(box)
  const shown = open && text.trim() !== ''
  const hrefs = [...hits.map(({ href }) => href), `/search?${new URLSearchParams({ q: text.trim() })}`]
  const optionId = (index: number) => `${id}-${index}`

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      if (shown) event.preventDefault()
      setOpen(false)
      setAt(-1)
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      if (shown) setAt(step(at, event.key === 'ArrowDown' ? 1 : -1, hrefs.length))
    } else if (event.key === 'Enter' && shown && at >= 0) {
      event.preventDefault()
      location.assign(hrefs[at] ?? '/search')
    }
  }

  return (
    <search className="hidden min-w-0 max-w-72 flex-1 lg:block">
      <form
        ref={root}
        action="/search"
        onBlur={(event) => {
          if (!root.current?.contains(event.relatedTarget)) setOpen(false)
        }}
        className="relative"
      >
        <input
          ref={box}
          name="q"
          role="combobox"
          aria-label="Search the network"
          aria-autocomplete="list"
          aria-expanded={shown}
          aria-controls={`${id}-list`}
          aria-activedescendant={shown && at >= 0 ? optionId(at) : undefined}
          aria-keyshortcuts="/ Control+K Meta+K"
          value={text}
          maxLength={128}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          placeholder="Search"
          onChange={(event) => {
            setText(event.target.value)
            setOpen(true)
            setAt(-1)
          }}
          onFocus={() => setOpen(true)}
          onKeyDown={onKeyDown}
          className="peer block h-10 w-full rounded-md border border-edge bg-raised pr-8 pl-3 text-sm placeholder:text-ink-soft"
        />
        <span
          aria-hidden="true"
          className="scripted mono pointer-events-none absolute top-2.5 right-3 text-ink-soft text-xs peer-focus:hidden"
        >
          /
        </span>
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label="Suggestions"
          hidden={!shown}
          className="absolute inset-x-0 top-full z-20 mt-1.5 w-96 overflow-hidden rounded-lg border border-edge bg-raised py-1.5 shadow-lg"
        >
          {hits.map((hit, index) => (
            <Option key={hit.href} id={optionId(index)} href={hit.href} chosen={index === at}>
              <Suggestion hit={hit} />
            </Option>
          ))}
          <Option id={optionId(hits.length)} href={hrefs.at(-1) ?? '/search'} chosen={at === hits.length}>
            <span className="min-w-0 truncate text-ink-soft">
              {hits.length === 0 ? 'Search for' : 'All results for'}{' '}
              <span className="text-ink">{text.trim()}</span>
            </span>
          </Option>
        </div>
        <p role="status" className="sr-only">
          {shown ? `${hits.length} ${hits.length === 1 ? 'suggestion' : 'suggestions'}` : ''}
        </p>
      </form>
    </search>
  )
}

function step(at: number, by: number, length: number): number {
  const next = at + by
  return next >= length ? -1 : next < -1 ? length - 1 : next
}

/** A link, so that it opens in another tab as links do. The focus stays in the box. */
function Option({
  id,
  href,
  chosen,
  children,
}: {
  id: string
  href: string
  chosen: boolean
  children: ReactNode
}) {
  return (
    <a
      id={id}
      role="option"
      aria-selected={chosen}
      tabIndex={-1}
      href={href}
      onMouseDown={(event) => event.preventDefault()}
      className="flex min-h-11 items-center gap-3 px-3 py-1.5 text-sm hover:bg-sunk aria-selected:bg-sunk aria-selected:outline-2 aria-selected:outline-accent aria-selected:-outline-offset-2"
    >
      {children}
    </a>
  )
}

function Suggestion({ hit: { kind, title, code, detail, address } }: { hit: HitView }) {
  return (
    <>
      <HitMark kind={kind} address={address} />
      <span className="min-w-0 flex-1">
        <span className={`block truncate ${code ? 'mono' : ''}`}>{title}</span>
        <span className="block truncate text-ink-soft text-xs">
          {kindName(kind)}, {detail}
        </span>
      </span>
    </>
  )
}
