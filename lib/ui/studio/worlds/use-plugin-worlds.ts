'use client'

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { PluginWorld, PluginWorlds } from '../../../site-data/plugin-worlds.ts'

const ADDRESS = '/worlds/gallery/plugins'

/** Worlds that connectors of the studio can feed, a page at a time. */
export function usePluginWorlds(search: string) {
  return useInfiniteQuery({
    queryKey: ['plugin worlds', search],
    initialPageParam: `?${new URLSearchParams({ q: search })}`,
    queryFn: async ({ pageParam, signal }): Promise<PluginWorlds> => {
      const response = await fetch(`${ADDRESS}${pageParam}`, { signal })
      if (!response.ok) throw new Error(String(response.status))
      return (await response.json()) as PluginWorlds
    },
    getNextPageParam: (page) => page.next,
    select: ({ pages }): PluginWorld[] => pages.flatMap(({ worlds }) => worlds),
  })
}

/** One of them; null when it is gone. */
export function usePluginWorld(id: string) {
  return useQuery({
    queryKey: ['plugin world', id],
    queryFn: async ({ signal }): Promise<PluginWorld | null> => {
      const response = await fetch(`${ADDRESS}?${new URLSearchParams({ id })}`, { signal })
      if (response.status === 404) return null
      if (!response.ok) throw new Error(String(response.status))
      return (await response.json()) as PluginWorld
    },
  })
}
