import { answerJson } from '#lib/views/read.ts'
import { previewView } from '#lib/views/world.ts'

/** A bundle that is looked at before it is published, with what feeds it, by `?id=`; 404 with null when it is gone. */
export function GET(request: Request): Promise<Response> {
  const id = new URL(request.url).searchParams.get('id') ?? ''
  return answerJson('a preview of a World', (ctx) => previewView(ctx, id))
}

export const dynamic = 'force-dynamic'
