import { z } from 'zod'
import type { Context } from '#lib/core/context/context.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { createDispatcher } from '#lib/server/http/dispatch.ts'
import { chainErrors, ERROR_STATUS, type ErrorFormat, storageFailure } from '#lib/server/http/errors.ts'
import type { Operation, RawBody } from '#lib/server/http/operation.ts'
import type { ApiRequest } from '#lib/server/http/request.ts'
import { fromWebRequest, toWebResponse } from '#lib/server/http/web-adapter.ts'
import { getServices } from '#lib/server/services.ts'
import { TIMEOUT_MS } from './read.ts'

/** Names of the placeholders of a path. */
type Params<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [key in Name]: string } & Params<Rest>
  : unknown

/** Parameters of a request. */
export interface SiteRequest<Path> {
  readonly params: Params<Path>
  /** The whole query. */
  readonly search: URLSearchParams
}

/** An address of the site that reads: a document, a file, a picture, data of a page. */
interface SiteReadFacts<Path> {
  /** As the route file lies, placeholders in braces. */
  readonly path: Path
  /** `Content-Type` of a success that names no other. */
  readonly contentType: string
  /** `Cache-Control` of a success. */
  readonly cache: string
  /** Whether pages of any origin may read it. */
  readonly anyOrigin?: boolean
  /** Timeout of its reads; by default that of a page. */
  readonly timeoutMs?: number
  /** The sentence of a 404. */
  readonly absent?: string
  /** By default plain text. */
  readonly errors?: ErrorFormat
}

/** A reply; a body alone is a 200. */
type SiteReply =
  | string
  | Uint8Array<ArrayBuffer>
  | {
      readonly status?: 200 | 302 | 307 | 501
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: RawBody
    }

/** Facts of a file, which may take long to make; links to it are shared, and a draft behind it may be revised. */
export const FILE = { cache: 'public, max-age=600', timeoutMs: 20_000 } as const

const REDIRECT = { description: 'Elsewhere' }
const plainErrors: ErrorFormat = ({ message }) => ({
  contentType: 'text/plain; charset=utf-8',
  text: `${message}\n`,
})
const formats = new WeakMap<Operation, ErrorFormat>()

/** Dispatcher of all site reads: Next has matched their routes. */
const site = createDispatcher([], {
  base: '',
  services: getServices,
  errors: (problem, operation, request) =>
    ((operation && formats.get(operation)) ?? plainErrors)(problem, operation, request),
  isPlaced: true,
  authenticate: () => Promise.reject(new Error('Site reads have no account')),
})

/**
 * Serves an address that reads, by the one dispatcher; Next derives HEAD from GET.
 *
 * @param read Returns undefined where there is nothing, which is a 404.
 */
export function siteRead<const Path extends `/${string}`>(
  facts: SiteReadFacts<Path>,
  read: (ctx: Context, request: SiteRequest<Path>) => Promise<SiteReply | undefined>,
) {
  const { path, contentType, cache, anyOrigin = false, timeoutMs = TIMEOUT_MS, errors = plainErrors } = facts
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, z.string()] as const)
  const operation: Operation = {
    id: `GET_${path}`,
    method: 'GET',
    api: 'site',
    path,
    tag: 'site',
    summary: path,
    description: '',
    auth: 'none',
    cors: anyOrigin ? 'simple' : 'none',
    request: { params: z.object(Object.fromEntries(names)), search: true },
    responses: {
      200: { description: 'What is read', contentType },
      302: REDIRECT,
      307: REDIRECT,
      501: { description: 'Another format', contentType },
    },
    cache,
    handler: async (request, input) => {
      const ctx = { ...request, signal: AbortSignal.timeout(timeoutMs) }
      const reply = await read(ctx, input as unknown as SiteRequest<Path>).catch((error: unknown) => {
        throw asFailure(error, ctx.signal)
      })
      if (reply === undefined) throw new Failure('not_found', facts.absent ?? 'There is no such thing')
      const isBody = typeof reply === 'string' || reply instanceof Uint8Array
      return { status: 200, ...(isBody ? { body: reply } : reply) }
    },
  }
  formats.set(operation, errors)
  const route = { path, operations: new Map([['GET', operation]] as const) }
  const GET = async (request: Request, { params }: Matched): Promise<Response> => {
    const values = Object.entries((await params) ?? {})
    const joined = Object.fromEntries(values.map(([name, value]) => [name, [value ?? ''].flat().join('/')]))
    const get: ApiRequest = { ...fromWebRequest(request), method: 'GET' }
    return toWebResponse(await site.handle(get, { route, params: joined }))
  }
  return { GET }
}

/** Second argument of Next's route handlers. */
interface Matched {
  /** Nothing for a path without placeholders. */
  readonly params: Promise<Readonly<Record<string, string | string[] | undefined>> | null | undefined>
}

/**
 * As `siteRead`, of JSON for a page's script; null is a 404.
 *
 * @param lasts Whether the visitor's browser stores a value for a minute: what is seen as a tile and then opened, not what
 *   a busy server left out. By default nothing is stored.
 */
export function jsonRead<const Path extends `/${string}`, Value extends object>(
  path: Path,
  read: (ctx: Context, request: SiteRequest<Path>) => Promise<Value | null>,
  lasts?: (value: Value) => boolean,
) {
  const cache = lasts ? 'private, max-age=60' : 'no-store'
  const facts = { path, contentType: 'application/json', cache, errors: chainErrors }
  return siteRead<Path>(facts, async (ctx, request) => {
    const value = await read(ctx, request)
    if (value === null) return undefined
    const isPassing = lasts?.(value) === false
    return { ...(isPassing && { headers: { 'cache-control': 'no-store' } }), body: JSON.stringify(value) }
  })
}

/** As `siteRead`, of a text that changes by the minute at most. */
export function documentRead<const Path extends `/${string}`>(
  path: Path,
  contentType: string,
  read: (ctx: Context, request: SiteRequest<Path>) => Promise<string>,
) {
  return siteRead<Path>({ path, contentType, cache: 'public, max-age=60' }, read)
}

/**
 * Returns a failure that the client can mend as it is, and a 503, as of a page that cannot be read, for what may pass: a
 * failure of the database or of another server, a timeout. A defect stays one.
 */
function asFailure(cause: unknown, signal: AbortSignal): unknown {
  if (cause instanceof Failure) {
    const status = ERROR_STATUS[cause.code]
    if (status < 500) return cause
    const { retryAfterSeconds = 2 } = cause.details
    const code = status === 503 ? cause.code : 'storage_unavailable'
    return new Failure(code, cause.message, { retryAfterSeconds }, { cause })
  }
  if (!signal.aborted && storageFailure(cause) === undefined) return cause
  const message = 'The network cannot be read right now'
  return new Failure('storage_unavailable', message, { retryAfterSeconds: 30 }, { cause })
}
