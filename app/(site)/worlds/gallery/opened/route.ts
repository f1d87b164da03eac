import { openedWorld } from '#lib/views/gallery.ts'
import { answerJson } from '#lib/views/read.ts'

/** A World with what feeds it, by `?id=`; 404 with null when there is none. */
export function GET(request: Request): Promise<Response> {
  const id = new URL(request.url).searchParams.get('id') ?? ''
  return answerJson('a World of the gallery', (ctx) => openedWorld(ctx, id))
}

export const dynamic = 'force-dynamic'
