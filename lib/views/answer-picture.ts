import type { PictureScene } from '../compute/pictures/scene.ts'
import type { Context } from '../context/context.ts'
import { currentRequest } from '../platform/telemetry/request-scope.ts'
import { Failure } from '../protocol/failure.ts'
import { etagOf, isNamed } from '../server/http/etag.ts'
import { pageContext } from './read.ts'

/** Longer than a page has: nothing else waits for it. */
const READ_MS = 20_000
/** Long enough for everybody who sees a link that is shared, short enough for a draft that is revised. */
const MAX_AGE_SECONDS = 600

/**
 * A response with a picture; 404 where `read` returns none, 503 where its data cannot be read or too much is drawn.
 *
 * @param what For the log.
 */
export async function answerPicture(
  request: Request,
  what: string,
  read: (ctx: Context) => Promise<PictureScene | undefined>,
): Promise<Response> {
  let ctx: Context | undefined
  try {
    const signal = AbortSignal.timeout(READ_MS)
    ctx = { ...(await pageContext()), signal, client: currentRequest()?.client }
    const scene = await read(ctx)
    if (scene === undefined) return textResponse(404, 'There is no such picture')
    const png = await ctx.pictures.draw(scene)
    const headers = { 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`, ETag: etagOf(png) }
    if (isNamed(request.headers.get('if-none-match'), headers.ETag))
      return new Response(null, { status: 304, headers })
    return new Response(png.slice(), {
      headers: { ...headers, 'Content-Type': 'image/png', 'Content-Length': String(png.byteLength) },
    })
  } catch (error) {
    if (error instanceof Failure) {
      const status = error.code === 'too_many' ? 429 : 503
      return textResponse(status, error.message, {
        'Retry-After': String(Math.ceil(error.details.retryAfterSeconds ?? 2)),
      })
    }
    if (ctx === undefined) console.error(error)
    else ctx.log.error({ err: error, requestId: ctx.requestId }, `could not draw ${what}`)
    return textResponse(503, 'The network cannot be read right now', { 'Retry-After': '30' })
  }
}

function textResponse(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
  })
}
