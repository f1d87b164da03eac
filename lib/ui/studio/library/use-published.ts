'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { ask } from '#lib/browser/requests.ts'
import { createChainClient } from '#lib/client/chain.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import { MAX_TITLES } from '#lib/protocol/names.ts'
import type { FirstShownAnswer, TitlesAnswer } from '#lib/server/operations/studio/entities.ts'
import { fetchSaved } from '#lib/ui/people/requests.ts'
import { useSession } from '#lib/ui/wallet/session/use-session.ts'

const PAGE = 50

export interface PublishedName {
  readonly kind: EntityKind
  readonly name: string
  /** Undefined where its author gave none. */
  readonly title: string | undefined
}

const chain = createChainClient('/chain')

/**
 * Published entities of one kind: what the signed-in account saved, what is shown first anywhere, then all of it, newest
 * first, a page at a time.
 */
export function usePublished(kind: EntityKind) {
  const state = useSession()
  const account = state.status === 'signed_in' ? state.session.address : undefined
  return useInfiniteQuery({
    queryKey: ['feed', kind, account],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        limit: PAGE,
        type: `${kind}_added` as const,
        ...(pageParam === '' ? {} : { before: pageParam }),
      }
      const [saved, first, { data, error }] = await Promise.all([
        pageParam === '' && account !== undefined ? fetchSaved(kind).catch(() => []) : [],
        pageParam === '' ? fetchFirstShown(kind) : [],
        chain.GET('/feed', { params: { query }, signal }),
      ])
      if (data === undefined) throw new Error(error?.message ?? 'The feed did not answer.')
      const names = [...new Set([...saved, ...first, ...data.items.map(({ payload }) => payload.name)])]
      const titles = kind === 'connector' ? await fetchTitles(names) : NO_TITLES
      return { names: names.map((name) => ({ kind, name, title: titles.get(name) })), cursor: data.cursor }
    },
    getNextPageParam: (page) => page.cursor.next_before ?? undefined,
    select: ({ pages }): PublishedName[] => [
      ...new Map(pages.flatMap(({ names }) => names.map((each) => [each.name, each] as const))).values(),
    ],
  })
}

/** Names in order; none when they cannot be fetched, since the feed has them all. */
async function fetchFirstShown(kind: EntityKind): Promise<readonly string[]> {
  try {
    const answer = (await ask('GET', `/studio/api/first-shown/${kind}`)) as FirstShownAnswer
    return answer.entities.map(({ name }) => name)
  } catch {
    return []
  }
}

const NO_TITLES: ReadonlyMap<string, string> = new Map()

/** Titles by name; none when they cannot be fetched, since names open pieces too. */
async function fetchTitles(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  try {
    const body = { names: names.slice(0, MAX_TITLES) }
    const { pieces } = (await ask('POST', '/studio/api/titles', body)) as TitlesAnswer
    return new Map(pieces.map(({ name, title }) => [name, title]))
  } catch {
    return NO_TITLES
  }
}
