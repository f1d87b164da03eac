import type { PublicClient } from 'viem'
import type { Context } from '#lib/core/context/context.ts'
import { openDevChain } from '#lib/features/dev-chain/dev-chain.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { connections, isLocalPage } from '#lib/server/http/connection.ts'
import { ERROR_STATUS } from '#lib/server/http/errors.ts'
import { pageContext } from '#lib/views/read.ts'

/** Forms of two fields. */
const MAX_BYTES = 4096
/** The first publication waits for the compiler to load. */
const TIMEOUT_MS = 30_000

/**
 * Answers a form of the feed page's development panel. On any chain but a development chain on this machine, and for
 * any request but one of our own pages', there is nothing here: 404.
 *
 * @param run Executes the action and returns a summary. Its failures are reported with their status.
 */
export async function handleDevForm(
  request: Request,
  run: (ctx: Context, client: PublicClient, form: FormData) => Promise<string>,
): Promise<Response> {
  const ctx = { ...(await pageContext()), signal: AbortSignal.timeout(TIMEOUT_MS) }
  if (!isLocalPage(ctx.config.siteOrigin, request.headers.get('origin'), connections().getStore()))
    return nothingHere()
  try {
    const client = await openDevChain(ctx)
    if (client === undefined) return nothingHere()
    return respond(request, 200, await run(ctx, client, await readForm(request)))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const status = ERROR_STATUS[error.code]
    if (status >= 500) ctx.log.warn({ err: error, requestId: ctx.requestId }, 'request failed')
    return respond(request, status, error.message)
  }
}

/** A whole number; NaN for what is none. */
export function wholeNumber(form: FormData, name: string): number {
  const value = form.get(name)
  return typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : Number.NaN
}

async function readForm(request: Request): Promise<FormData> {
  const length = Number(request.headers.get('content-length') ?? Number.NaN)
  if (!(length <= MAX_BYTES)) throw new Failure('payload_too_large', 'The form is too large')
  try {
    return await request.formData()
  } catch (cause) {
    throw new Failure('invalid_request', 'The request must carry a form', {}, { cause })
  }
}

/** JSON for a script; a plain form is redirected to the feed, or to a page with the error. */
function respond(request: Request, status: number, message: string): Response {
  if (request.headers.get('accept')?.includes('application/json')) {
    return Response.json({ message }, { status, headers: { 'Cache-Control': 'no-store' } })
  }
  return status === 200
    ? new Response(null, { status: 303, headers: { Location: '/feed' } })
    : new Response(`${message}\n`, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}

function nothingHere(): Response {
  return new Response(null, { status: 404 })
}
