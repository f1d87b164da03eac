import { answerJson } from '#lib/views/read.ts'
import { livingPiece } from '#lib/views/wall.ts'

/** Data that brings the tile of a piece to life, by `?name=`; 404 with null when there is none. */
export function GET(request: Request): Promise<Response> {
  const name = new URL(request.url).searchParams.get('name') ?? ''
  return answerJson('a piece of the wall', (ctx) => livingPiece(ctx, name))
}

export const dynamic = 'force-dynamic'
