import { answerJson, readViewer } from '#lib/views/read.ts'
import { readWallQuery, wallPage } from '#lib/views/wall.ts'

/** A page of the wall as JSON, by the query of the wall's address. */
export async function GET(request: Request): Promise<Response> {
  const query = readWallQuery(Object.fromEntries(new URL(request.url).searchParams))
  const viewer = query.of === 'followed' ? (await readViewer())?.address : undefined
  return answerJson('a page of the wall', (ctx) => wallPage(ctx, query, viewer))
}

export const dynamic = 'force-dynamic'
