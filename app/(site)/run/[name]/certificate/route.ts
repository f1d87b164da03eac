import { certifyRun } from '#lib/features/proofs/certify-run.ts'
import { readRunLink } from '#lib/protocol/run-link.ts'
import { answerFile } from '#lib/views/answer-picture.ts'
import { queryOf } from '#lib/views/page-exists.ts'

/** The certificate of a run, also for the pages of other sites. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ name: string }> },
): Promise<Response> {
  const { name } = await params
  const read = readRunLink(name, queryOf(new URL(request.url).searchParams))
  const response = read.ok
    ? await answerFile(request, `the certificate of a run of ${name}`, 'application/json', (ctx) =>
        certifyRun(ctx, read.link),
      )
    : new Response(`${read.problems.join('\n')}\n`, {
        status: 400,
        headers: { 'Content-Type': 'text/plain; charset=utf-8' },
      })
  // Nothing in it depends on the reader.
  response.headers.set('Access-Control-Allow-Origin', '*')
  return response
}
