import { queryOptions } from '@tanstack/react-query'
import { PHRASE_BOOK } from '#lib/studio/library/phrase-book.ts'
import { requestArtifacts } from '#lib/studio/runs/client.ts'

/** Names of the phrases that this network has with the bodies of the phrase book. */
export const publishedPhrases = queryOptions({
  queryKey: ['phrase-book'],
  staleTime: 300_000,
  queryFn: async ({ signal }): Promise<ReadonlySet<string>> => {
    const names = PHRASE_BOOK.map(({ name }) => ({ kind: 'transformation' as const, name }))
    const answer = await requestArtifacts({ names }, signal)
    const hashes = new Map(answer.names.map(({ name, content_hash: hash }) => [name, hash]))
    return new Set(
      PHRASE_BOOK.filter(({ name, contentHash }) => hashes.get(name) === contentHash).map(({ name }) => name),
    )
  },
})
