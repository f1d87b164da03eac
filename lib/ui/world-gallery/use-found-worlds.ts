'use client'

import { useCallback, useEffect, useState } from 'react'
import type { Tile } from '../../site-data/gallery.ts'
import { fetchTiles } from './requests.ts'

/** Typing goes on within this time. */
const PAUSE_MS = 140

interface Found {
  /** What was looked for; '' finds the newest. */
  readonly search: string
  /** Undefined when they could not be had. */
  readonly tiles: readonly Tile[] | undefined
}

/** Worlds with a page of their own, by a part of their names: the first page of them. */
export function useFoundWorlds(wanted: string): {
  /** Of the last answer, which is kept until the next; undefined before the first. */
  readonly found: Found | undefined
  readonly again: () => void
} {
  const [found, setFound] = useState<Found>()
  const [tries, setTries] = useState(0)
  const search = wanted.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further try asks the same anew
  useEffect(() => {
    let isOver = false
    const answered = (tiles: readonly Tile[] | undefined) => {
      if (!isOver) setFound({ search, tiles })
    }
    const timer = setTimeout(
      () =>
        fetchTiles(`?${new URLSearchParams({ surface: 'world-page', q: search })}`).then(
          (page) => answered(page.tiles),
          () => answered(undefined),
        ),
      search === '' ? 0 : PAUSE_MS,
    )
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [search, tries])
  return { found, again: useCallback(() => setTries((before) => before + 1), []) }
}
