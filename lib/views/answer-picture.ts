import type { PictureScene } from '#lib/compute/pictures/scene.ts'
import type { Context } from '#lib/core/context/context.ts'
import { currentRequest } from '#lib/platform/telemetry/request-scope.ts'
import { Failure, type FailureCode } from '#lib/protocol/failure.ts'
import { etagOf, isNamed } from '#lib/server/http/etag.ts'
import { pageContext } from './read.ts'

/** Longer than a page has: nothing else waits for it. */
const READ_MS = 20_000
/** Long enough for everybody who sees a link that is shared, short enough for a draft that is revised. */
const MAX_AGE_SECONDS = 600
/** Of a picture without numbers: they may only have been too slow this time. */
const BARE_MAX_AGE_SECONDS = 10

const STATUSES: Partial<Record<FailureCode, number>> = { not_found: 404, rejected: 400, too_many: 429 }

/** A picture that is stored elsewhere. */
export interface StoredPicture {
  /** Path, or an absolute address. */
  readonly storedAt: string
}

/**
 * A response with a picture, or one that leads to it; 404 where `read` returns none, 503 where its data cannot be read or too much is drawn.
 *
 * @param what For the log.
 */
export function answerPicture(
  request: Request,
  what: string,
  read: (ctx: Context) => Promise<PictureScene | StoredPicture | undefined>,
): Promise<Response> {
  let maxAge = MAX_AGE_SECONDS
  return answerFile(
    request,
    what,
    'image/png',
    async (ctx) => {
      const scene = await read(ctx)
      if (scene !== undefined && 'storedAt' in scene) return redirect(scene.storedAt)
      if (scene?.figure.kind === 'bare') maxAge = BARE_MAX_AGE_SECONDS
      return scene && ctx.pictures.draw(scene)
    },
    () => maxAge,
  )
}

/** A response with a file for any site, which `make` may take long for; 404 where it returns none. */
export async function answerFile(
  request: Request,
  what: string,
  contentType: string,
  make: (ctx: Context) => Promise<Uint8Array | string | Response | undefined>,
  maxAge = () => MAX_AGE_SECONDS,
): Promise<Response> {
  let ctx: Context | undefined
  try {
    const signal = AbortSignal.timeout(READ_MS)
    ctx = { ...(await pageContext()), signal, client: currentRequest()?.client }
    const made = await make(ctx)
    if (made === undefined) return textResponse(404, 'There is no such picture')
    if (made instanceof Response) return made
    const bytes = typeof made === 'string' ? new TextEncoder().encode(made) : made
    const headers = { 'Cache-Control': `public, max-age=${maxAge()}`, ETag: etagOf(bytes) }
    if (isNamed(request.headers.get('if-none-match'), headers.ETag))
      return new Response(null, { status: 304, headers })
    return new Response(bytes.slice(), {
      headers: { ...headers, 'Content-Type': contentType, 'Content-Length': String(bytes.byteLength) },
    })
  } catch (error) {
    if (error instanceof Failure) {
      const status = STATUSES[error.code] ?? 503
      if (status >= 500) ctx?.log.warn({ err: error, requestId: ctx.requestId }, `could not make ${what}`)
      const wait = { 'Retry-After': String(Math.ceil(error.details.retryAfterSeconds ?? 2)) }
      return textResponse(status, error.message, status === 503 || status === 429 ? wait : {})
    }
    if (ctx === undefined) console.error(error)
    else ctx.log.error({ err: error, requestId: ctx.requestId }, `could not make ${what}`)
    return textResponse(503, 'The network cannot be read right now', { 'Retry-After': '30' })
  }
}

function redirect(to: string): Response {
  const headers = { Location: to, 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}` }
  return new Response(null, { status: 302, headers })
}

function textResponse(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
  })
}
