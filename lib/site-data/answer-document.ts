import type { Context } from '../context.ts'
import { documentResponse } from '../http/etag.ts'
import { readForPage } from './read.ts'

/** Answers with a document for programs that read the site; 503 while it cannot be made. */
export async function answerDocument(
  request: Request,
  what: string,
  contentType: string,
  write: (ctx: Context) => Promise<string>,
): Promise<Response> {
  const reading = await readForPage(what, write)
  if (!reading.ok) {
    return new Response('The network cannot be read right now.\n', {
      status: 503,
      headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '30' },
    })
  }
  return documentResponse(request, reading.value, {
    'Content-Type': contentType,
    'Cache-Control': 'public, max-age=60',
  })
}
