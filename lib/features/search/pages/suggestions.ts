import { answerJson } from '#lib/views/read.ts'
import { viewHit } from '../ui/view-hit.ts'
import { searchSuggestions } from './search-view.ts'

/** Autocompletion of the search box: `{"suggestions": […]}`, the best first. */
export function answerSuggestions(request: Request): Promise<Response> {
  const text = new URL(request.url).searchParams.get('q') ?? ''
  return answerJson(
    'suggestions',
    async (ctx) => ({ suggestions: (await searchSuggestions(ctx, text)).map((hit) => viewHit(hit)) }),
    { suggestions: [] },
  )
}
