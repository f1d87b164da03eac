'use client'

import { memo, useState } from 'react'
import { Button } from '../../button.tsx'
import { NarrowingField } from '../../narrowing-field.tsx'
import { useStudio } from '../context.tsx'
import { type Entry, tabKey } from '../document/types.ts'
import { WorldsLibrary } from '../worlds/worlds-library.tsx'
import { usePublished } from './use-feed.ts'

const KINDS = ['connector', 'transformation', 'condition'] as const

const SHELVES = [...KINDS, 'world'] as const
type Shelf = (typeof SHELVES)[number]

/** What others published: parts to work with, and Worlds to look at them with. */
export function LibraryPanel() {
  const [shelf, setShelf] = useState<Shelf>('connector')
  return (
    <section aria-label="Published">
      <h2 className="border-line border-b pb-1.5 font-semibold text-sm">Published</h2>
      <div className="flex flex-wrap gap-x-2.5 py-1 text-xs">
        {SHELVES.map((choice) => (
          <button
            key={choice}
            type="button"
            aria-pressed={choice === shelf}
            onClick={() => setShelf(choice)}
            className="min-h-9 cursor-pointer capitalize decoration-2 decoration-accent underline-offset-6 hover:text-accent aria-pressed:underline pointer-coarse:min-h-11"
          >
            {choice}s
          </button>
        ))}
      </div>
      {shelf === 'world' ? <WorldsLibrary /> : <Parts kind={shelf} />}
    </section>
  )
}

/** Parts of one kind: opened read-only by a click, used by their names. */
function Parts({ kind }: { kind: Entry['kind'] }) {
  const [wanted, setWanted] = useState('')
  const { openTab, state } = useStudio()
  const {
    data = [],
    isPending,
    isError,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
    refetch,
  } = usePublished(kind)
  const shown = data.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()))
  const exact = wanted.trim()
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (exact !== '') openTab({ kind: 'published', entity: kind, name: exact })
        }}
      >
        <NarrowingField
          label={`Look for a published ${kind}; Enter opens the exact name`}
          value={wanted}
          onText={setWanted}
          className="mono"
        />
      </form>
      <ul className="mt-1 max-h-80 overflow-y-auto">
        {shown.map(({ name }) => {
          const tab = { kind: 'published', entity: kind, name } as const
          return (
            <li key={name}>
              <button
                type="button"
                aria-current={state.view.active === tabKey(tab) ? 'true' : undefined}
                onClick={() => openTab(tab)}
                className="mono min-h-9 w-full cursor-pointer border-transparent border-l-2 px-2 text-left text-sm transition-colors [overflow-wrap:anywhere] hover:bg-sunk aria-[current]:border-accent aria-[current]:bg-raised pointer-coarse:min-h-11"
              >
                {name}
              </button>
            </li>
          )
        })}
      </ul>
      <div role="status" className="py-1 text-ink-soft text-sm">
        {isPending ? 'Asking for what is published…' : null}
        {isError ? (
          <>
            The list cannot be reached now.{' '}
            <button type="button" className="cursor-pointer underline" onClick={() => refetch()}>
              Try again
            </button>
          </>
        ) : null}
        {!isPending && !isError && shown.length === 0
          ? exact === ''
            ? `No ${kind} is published yet.`
            : 'None of the newest; Enter opens the exact name.'
          : null}
      </div>
      {hasNextPage ? (
        <Button className="w-full" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Older
        </Button>
      ) : null}
    </>
  )
}

/** Puts the lists of known names on the page, which name fields offer while typing. */
export function KnownNames() {
  const { state } = useStudio()
  return KINDS.map((kind) => (
    <NamesOf
      key={kind}
      kind={kind}
      own={state.document.entries.filter((entry) => entry.kind === kind).map(({ name }) => name)}
    />
  ))
}

function NamesOf({ kind, own }: { kind: Entry['kind']; own: readonly string[] }) {
  const { data = [] } = usePublished(kind)
  const names = [...new Set([...own, ...data.map(({ name }) => name)])].filter((name) => name !== '')
  return <Names id={`known-${kind}s`} names={names} />
}

/** Typing somewhere leaves the names as they are. */
const Names = memo(
  function Names({ id, names }: { id: string; names: readonly string[] }) {
    return (
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    )
  },
  (before, after) =>
    before.names.length === after.names.length &&
    before.names.every((name, index) => name === after.names[index]),
)
