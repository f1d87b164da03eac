import { type ReactNode, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { ButtonLink } from '#lib/ui/kit/button.tsx'

/** A page of a list. */
interface Page<Tile> {
  readonly tiles: readonly Tile[]
  /** Query of the address of the following page, with its question mark; absent at the end. */
  readonly next?: string | undefined
}

interface Source<Tile> {
  /** Address of the page that lists them, followed by `next`. */
  readonly page: string
  /** Requests the page of a query. @throws Error on failure. */
  readonly fetchPage: (query: string) => Promise<Page<Tile>>
  readonly keyOf: (tile: Tile) => string
  /** One of them: "piece". */
  readonly noun: string
}

/**
 * Tiles of a list whose following pages are appended where a script runs; without one, the link leads to the next page.
 *
 * @param delivered The first page; remount for another query.
 * @returns the tiles of each page, each the same array at every rendering, and what stands below them.
 */
export function useMoreTiles<Tile>(
  delivered: Page<Tile>,
  { page, fetchPage, keyOf, noun }: Source<Tile>,
): { readonly pages: readonly (readonly Tile[])[]; readonly foot: ReactNode } {
  const [{ pages, next }, setShown] = useState({ pages: [delivered.tiles], next: delivered.next })
  const [loading, setLoading] = useState<'no' | 'yes' | 'failed'>('no')
  const append = async () => {
    if (next === undefined || loading === 'yes') return
    setLoading('yes')
    try {
      const following = await fetchPage(next)
      setShown((now) => {
        // What is published meanwhile moves others into the following page.
        const known = new Set(now.pages.flat().map(keyOf))
        return {
          pages: [...now.pages, following.tiles.filter((tile) => !known.has(keyOf(tile)))],
          next: following.next,
        }
      })
      setLoading('no')
    } catch {
      setLoading('failed')
    }
  }
  const foot = (
    <div className="mt-12 flex flex-wrap items-center gap-x-5 gap-y-3">
      {next === undefined ? null : (
        <ButtonLink
          rel="next"
          href={page + next}
          aria-busy={loading === 'yes'}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
            event.preventDefault()
            void append()
          }}
        >
          {loading === 'yes' ? 'Loading…' : loading === 'failed' ? 'Try again' : `More ${noun}s`}
        </ButtonLink>
      )}
      <p role="status" className="text-ink-soft text-sm">
        {loading === 'failed'
          ? 'They cannot be loaded right now.'
          : pages.length > 1
            ? `${counted(pages.flat().length, noun)} shown`
            : ''}
      </p>
    </div>
  )
  return { pages, foot }
}
