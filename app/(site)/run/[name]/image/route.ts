import { entityExists } from '#lib/core/entities/get-entity.ts'
import { readRunLink } from '#lib/protocol/run-link.ts'
import { answerPicture } from '#lib/views/answer-picture.ts'
import { queryOf } from '#lib/views/page-exists.ts'
import { runScene } from '#lib/views/pictures.ts'
import { runResult } from '#lib/views/run-page.ts'

/** The picture of a run, for where its link is shared. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ name: string }> },
): Promise<Response> {
  const { name } = await params
  const read = readRunLink(name, queryOf(new URL(request.url).searchParams))
  if (!read.ok) {
    return new Response(read.problems.join('\n'), {
      status: 400,
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    })
  }
  const { link } = read
  return answerPicture(request, `the picture of a run of ${name}`, async (ctx) =>
    (await entityExists(ctx, 'connector', name))
      ? runScene(link, await runResult(ctx, link), 'card')
      : undefined,
  )
}
