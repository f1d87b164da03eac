'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { createChainClient } from '../../../client/chain.ts'
import type { EntityKind } from '../../../protocol/entity.ts'

const PAGE = 50

export interface PublishedName {
  readonly kind: EntityKind
  readonly name: string
}

const chain = createChainClient('/chain')

/** What is published of one kind, newest first, a page at a time. */
export function usePublished(kind: EntityKind) {
  return useInfiniteQuery({
    queryKey: ['feed', kind],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        limit: PAGE,
        type: `${kind}_added` as const,
        ...(pageParam === '' ? {} : { before: pageParam }),
      }
      const { data, error } = await chain.GET('/feed', { params: { query }, signal })
      if (data === undefined) throw new Error(error?.message ?? 'The feed did not answer.')
      return data
    },
    getNextPageParam: (page) => page.cursor.next_before ?? undefined,
    select: ({ pages }): PublishedName[] =>
      pages.flatMap(({ items }) => items.map(({ payload }) => ({ kind: payload.type, name: payload.name }))),
  })
}
