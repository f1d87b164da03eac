'use client'

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ask, askIfAny } from '#lib/browser/requests.ts'
import { formatHash, scalarLabels } from '#lib/protocol/format-hash.ts'
import type { WorldWords } from '#lib/protocol/presentation.ts'
import {
  type Compatibility,
  type OfferedConnector,
  worldCompatibility,
} from '#lib/protocol/world-compatibility.ts'
import { memoizeByObject } from '#lib/studio/document/memoize.ts'
import type { Shape, ShapeFound } from '#lib/studio/document/shapes.ts'
import type { PluginVersion, PluginWorld, PluginWorlds } from '#lib/views/gallery.ts'

const ADDRESS = '/worlds/gallery/plugins'

/** Worlds that connectors of the studio can feed, a page at a time. */
export function usePluginWorlds(search: string) {
  return useInfiniteQuery({
    queryKey: ['plugin worlds', search],
    initialPageParam: `?${new URLSearchParams({ q: search })}`,
    queryFn: async ({ pageParam, signal }) =>
      (await ask('GET', `${ADDRESS}${pageParam}`, undefined, signal)) as PluginWorlds,
    getNextPageParam: (page) => page.next,
    // The list stays while one types.
    placeholderData: keepPreviousData,
    select: ({ pages }): PluginWorld[] => pages.flatMap(({ worlds }) => worlds),
  })
}

/** A World by id; null when it does not exist, nothing without an id. */
export function usePluginWorld(id: string | undefined) {
  return useQuery({
    queryKey: ['plugin world', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) =>
      (await askIfAny(`${ADDRESS}?${new URLSearchParams({ id: id ?? '' })}`, signal)) as PluginWorld | null,
  })
}

const TIMEOUT_MS = 10_000

/** The World of a slug that the studio can show; undefined for none. @throws As `askIfAny`. */
export async function findPluginWorld(slug: string): Promise<PluginWorld | undefined> {
  const worlds = await fetchIfAny<PluginWorlds>({ q: slug })
  return worlds?.worlds.find(({ tile }) => tile.slug === slug)
}

/** The World of a piece as this site has it; undefined for none. @throws As `askIfAny`. */
export function findVersion({ bundle_hash, slug }: WorldWords): Promise<PluginVersion | undefined> {
  return fetchIfAny<PluginVersion>({ bundle: bundle_hash, slug })
}

async function fetchIfAny<T>(query: Record<string, string>): Promise<T | undefined> {
  const path = `${ADDRESS}?${new URLSearchParams(query)}`
  return ((await askIfAny(path, AbortSignal.timeout(TIMEOUT_MS))) as T | null) ?? undefined
}

/** A connector of the studio as Worlds are compared with it; undefined while it is not whole. */
export function offeredConnector(shape: ShapeFound): OfferedConnector | undefined {
  return typeof shape === 'string' ? undefined : offeredOf(shape)
}

const offeredOf = memoizeByObject(
  ({ name, leaves }: Shape): OfferedConnector => ({
    name: name || 'this piece',
    formatHash: formatHash(leaves),
    scalars: scalarLabels(leaves),
  }),
)

/** Fit of a connector for a World, unsaved as it is. */
export function fitOf({ needs, formats }: PluginWorld, connector: OfferedConnector): Compatibility {
  return worldCompatibility(needs, connector, new Map(formats.map(({ hash, scalars }) => [hash, scalars])))
}
