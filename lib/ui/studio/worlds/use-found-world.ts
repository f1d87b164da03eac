'use client'

import { useEffect, useMemo, useState } from 'react'
import type { WorldWords } from '#lib/protocol/presentation.ts'
import type { PluginWorld } from '#lib/views/gallery.ts'
import { findPluginWorld, findVersion } from './plugin-worlds.ts'

/**
 * The World, and the search for it, for what is pressed before it is found.
 *
 * @param slug Of a World in place of the piece's own.
 * @param words The piece's own.
 */
export function useFoundWorld(slug: string | undefined, words: WorldWords | undefined) {
  const { bundle_hash, slug: named } = words ?? {}
  const finding = useMemo((): Promise<FoundWorld> | undefined => {
    if (slug !== undefined) return findPluginWorld(slug).then((plugin) => ({ plugin }))
    if (bundle_hash === undefined || named === undefined) return undefined
    return findVersion({ bundle_hash, slug: named }).then((version) => {
      if (version === undefined) return { plugin: undefined, notice: MISSING }
      return version.found === 'deleted'
        ? { plugin: undefined, notice: DELETED }
        : { plugin: version.world, notice: version.found === 'newest' ? NEWER : undefined }
    })
  }, [slug, bundle_hash, named])
  const [found, setFound] = useState<FoundWorld>(NO_WORLD)
  useEffect(() => {
    let left = false
    void finding?.then((world) => left || setFound(world))
    return () => {
      left = true
      setFound(NO_WORLD)
    }
  }, [finding])
  return { ...found, finding }
}

interface FoundWorld {
  readonly plugin: PluginWorld | undefined
  /** Why it is not the piece's own, in a sentence. */
  readonly notice?: string | undefined
}

const NO_WORLD: FoundWorld = { plugin: undefined }
const DELETED = 'The World of this piece was deleted by its owner: its values are drawn without it.'
const MISSING = 'This site does not have the World of this piece: its values are drawn without it.'
const NEWER = 'This site has only another version of the World of this piece, and shows that.'
