'use client'

import { Search } from 'lucide-react'
import {
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { keyOf, matchesShortcut } from '#lib/browser/shortcut.ts'
import { kindName } from '#lib/protocol/kind-name.ts'
import { TextField } from '#lib/ui/kit/field.tsx'
import { HitMark } from '#lib/ui/lists/hit-mark.tsx'
import type { HitView } from '#lib/ui/lists/hit-view.ts'
import { useSuggestions } from './suggestions.ts'

/**
 * The search of the header: an icon that leads to the search page, and with a script, in wide windows, opens a box with
 * autocompletion.
 */
export function HeaderSearch() {
  const [expanded, setExpanded] = useState(false)
  const link = useRef<HTMLAnchorElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const openBox = () => {
    setExpanded(true)
    box.current?.focus()
    box.current?.select()
  }
  useSearchKeys(openBox)
  return (
    <search className="relative">
      <a
        ref={link}
        href="/search"
        title="Search"
        aria-keyshortcuts="/ Control+K Meta+K"
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey || !hasRoom()) return
          event.preventDefault()
          openBox()
        }}
        className="inline-grid size-9 place-items-center rounded-md text-ink-soft transition-colors hover:bg-sunk hover:text-ink touch:size-11"
      >
        <span className="sr-only">Search</span>
        <Search aria-hidden="true" className="size-4" />
      </a>
      {expanded ? (
        <SearchBox
          box={box}
          onClose={(byKey) => {
            setExpanded(false)
            if (byKey) link.current?.focus()
          }}
        />
      ) : null}
    </search>
  )
}

/** Narrower windows have the search page only. */
function hasRoom(): boolean {
  return matchMedia('(min-width: 64rem)').matches
}

/**
 * No combobox of Base UI, which is 15 kB of script on every page. Loaded later it would replace the field being typed in.
 *
 * @param onClose Called with whether a key closed it: the focus then goes back.
 */
function SearchBox({
  box,
  onClose,
}: {
  box: RefObject<HTMLInputElement | null>
  onClose: (byKey: boolean) => void
}) {
  const id = useId()
  const root = useRef<HTMLFormElement>(null)
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  /** Index of the active entry; the last one links to all results, -1 is the text. */
  const [at, setAt] = useState(-1)
  const hits = useSuggestions(text)
  const shown = open && text.trim() !== ''
  const hrefs = [...hits.map(({ href }) => href), `/search?${new URLSearchParams({ q: text.trim() })}`]
  const optionId = (index: number) => `${id}-${index}`

  const onKeyDown = (event: ReactKeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      if (!shown) onClose(true)
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
    <form
      ref={root}
      action="/search"
      onBlur={(event) => {
        if (root.current?.contains(event.relatedTarget)) return
        if (text === '') onClose(false)
        else setOpen(false)
      }}
      className="-translate-y-1/2 absolute top-1/2 right-0 z-dialog w-72"
    >
      <TextField
        look="small"
        ref={box}
        name="q"
        role="combobox"
        aria-label="Search the network"
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={`${id}-list`}
        aria-activedescendant={shown && at >= 0 ? optionId(at) : undefined}
        // It is opened to type in it.
        autoFocus
        value={text}
        maxLength={128}
        spellCheck={false}
        enterKeyHint="search"
        placeholder="Search"
        onText={(next) => {
          setText(next)
          setOpen(true)
          setAt(-1)
        }}
        onFocus={() => setOpen(true)}
        onKeyDown={onKeyDown}
        className="block w-full"
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Suggestions"
        hidden={!shown}
        className="absolute top-full right-0 z-dialog mt-1.5 w-96 overflow-hidden rounded-lg border border-edge bg-raised py-1.5 shadow-lg"
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

/** `/` and Mod+K open the search box, or the search page in narrow windows. */
function useSearchKeys(open: () => void): void {
  const search = useEffectEvent(() => {
    const onPage = document.querySelector<HTMLInputElement>('#search-text')
    onPage?.focus()
    onPage?.select()
    if (onPage === null && hasRoom()) open()
    else if (onPage === null) location.assign('/search')
  })
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isSearchKey(event)) return
      event.preventDefault()
      search()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
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
