'use client'

import {
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { keyOf, matchesShortcut } from '#lib/browser/shortcut.ts'
import { HitMark } from '#lib/ui/lists/hit-mark.tsx'
import { type HitView, kindName } from '#lib/ui/lists/hit-view.ts'
import { useSuggestions } from './suggestions.ts'

/**
 * The search box of the header: a form that works without a script, with autocompletion. In narrow windows a link
 * replaces it.
 */
export function HeaderSearch() {
  const id = useId()
  const root = useRef<HTMLFormElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  /** Index of the active entry; the last one links to all results, -1 is the text. */
  const [at, setAt] = useState(-1)
  const hits = useSuggestions(text)
  useSearchKeys(box)
  const shown = open && text.trim() !== ''
  const hrefs = [...hits.map(({ href }) => href), `/search?${new URLSearchParams({ q: text.trim() })}`]
  const optionId = (index: number) => `${id}-${index}`

  const onKeyDown = (event: ReactKeyboardEvent) => {
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

/** A link, so that it can open in another tab. The focus stays in the box. */
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

/** The link to the search page in narrow windows. */
export function SearchLink() {
  return (
    <a
      href="/search"
      title="Search"
      className="inline-grid size-11 place-items-center rounded-md text-ink-soft transition-colors hover:text-accent lg:hidden"
    >
      <span className="sr-only">Search</span>
      <svg
        viewBox="0 0 20 20"
        className="size-5"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
      >
        <circle cx="9" cy="9" r="5.5" />
        <path d="M13.2 13.2 17 17" />
      </svg>
    </a>
  )
}

/** `/` and Mod+K focus the search box, or open the search page in narrow windows. */
function useSearchKeys(box: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isSearchKey(event)) return
      event.preventDefault()
      const onPage = document.querySelector<HTMLInputElement>('#search-text')
      const target = onPage ?? (box.current?.offsetParent ? box.current : undefined)
      if (target === undefined) location.assign('/search')
      else {
        target.focus()
        target.select()
      }
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [box])
}

function isSearchKey(event: KeyboardEvent): boolean {
  // The studio handles Mod+K itself.
  if (matchesShortcut(event, 'Mod+K')) {
    return document.querySelector('[data-studio], [role="dialog"]') === null
  }
  if (keyOf(event) !== '/' || event.altKey || event.ctrlKey || event.metaKey) return false
  const target = event.target as HTMLElement
  return (
    !target.isContentEditable &&
    target.closest('input, textarea, select, [contenteditable], [role="dialog"]') === null
  )
}
