import { suggestions } from '#lib/features/search/pages/index.ts'
import { jsonRead } from '#lib/views/site-read.ts'

/** Autocompletion of the search box: `{"suggestions": […]}`, the best first. */
export const { GET } = jsonRead('/search/suggestions', (ctx, { search }) =>
  suggestions(ctx, search.get('q') ?? ''),
)

export const dynamic = 'force-dynamic'
