import { readForPage } from '#lib/views/read.ts'
import { viewHit } from '../ui/view-hit.ts'
import { searchSuggestions } from './search-view.ts'

/** Autocompletion of the search box: `{"suggestions": […]}`, the best first. */
export async function answerSuggestions(request: Request): Promise<Response> {
  const text = new URL(request.url).searchParams.get('q') ?? ''
  const reading = await readForPage('suggestions', (ctx) => searchSuggestions(ctx, text))
  const headers = { 'Cache-Control': 'no-store' }
  if (!reading.ok) return Response.json({ suggestions: [] }, { status: 503, headers })
  return Response.json({ suggestions: reading.value.map((hit) => viewHit(hit)) }, { headers })
}
