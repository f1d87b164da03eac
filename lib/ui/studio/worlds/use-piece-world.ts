'use client'

import { useEffect, useMemo, useState } from 'react'
import { Refusal } from '#lib/browser/requests.ts'
import type { WorldWords } from '#lib/protocol/presentation.ts'
import type { PluginWorld } from '#lib/views/gallery.ts'
import { findPluginWorld, findVersion } from './plugin-worlds.ts'

/** Until a search that failed is repeated: doubled each time, up to the second. */
const RETRY_MS = 3_000
const MAX_RETRY_MS = 60_000

/**
 * Returns the World that draws a piece, and the search for it as a promise. A search that fails is repeated.
 *
 * @param slug Slug of a World in place of the piece's own.
 * @param words The World that the piece names.
 * @param delivered The World, where it came with the page.
 */
export function usePieceWorld(
  slug: string | undefined,
  words: WorldWords | undefined,
  delivered?: PluginWorld | undefined,
) {
  const { bundle_hash, slug: named } = words ?? {}
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt is another search
  const finding = useMemo((): Promise<SearchResult> | undefined => {
    if (delivered !== undefined) return Promise.resolve({ plugin: delivered })
    if (slug !== undefined) return findPluginWorld(slug).then((plugin) => ({ plugin }), unanswered)
    if (bundle_hash === undefined || named === undefined) return undefined
    return findVersion({ bundle_hash, slug: named }).then((version) => {
      if (version === undefined) return { plugin: undefined, notice: MISSING }
      return version.found === 'deleted'
        ? { plugin: undefined, notice: DELETED }
        : { plugin: version.world, notice: version.found === 'newest' ? NEWER : undefined }
    }, unanswered)
  }, [slug, bundle_hash, named, delivered, attempt])
  const [search, setSearch] = useState<SearchResult>(NO_WORLD)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isUnmounted = false
    void finding?.then((world) => {
      if (isUnmounted) return
      setSearch(world)
      if (world.retryMs === undefined) return
      const backoffMs = Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** attempt)
      timer = setTimeout(() => setAttempt(attempt + 1), Math.max(world.retryMs, backoffMs))
    })
    return () => {
      isUnmounted = true
      clearTimeout(timer)
      // The notice stays while it is searched for again.
      setSearch((before) => (before.retryMs === undefined ? NO_WORLD : before))
    }
  }, [finding, attempt])
  return { ...search, finding }
}

interface SearchResult {
  readonly plugin: PluginWorld | undefined
  /** Why it is not the piece's own, in a sentence. */
  readonly notice?: string | undefined
  /** Least delay until the next search, after one that failed. */
  readonly retryMs?: number | undefined
}

function unanswered(error: unknown): SearchResult {
  const retryMs = error instanceof Refusal ? (error.retryAfterMs ?? 0) : 0
  return { plugin: undefined, notice: UNANSWERED, retryMs }
}

const NO_WORLD: SearchResult = { plugin: undefined }
const DELETED = 'The World of this piece was deleted by its owner: its values are drawn without it.'
const MISSING = 'This site does not have the World of this piece: its values are drawn without it.'
const NEWER = 'This site has only another version of the World of this piece, and shows that.'
const UNANSWERED =
  'The site does not send the World of this piece at the moment: its values are drawn without it until it does.'
