import type { z } from 'zod'
import type { Context, Services } from '../context.ts'
import type { LimitClass } from '../limits/limit-class.ts'
import type { FileShape } from './multipart.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** What a request may carry. Everything is optional; what is absent is neither read nor validated. */
export interface RequestShape {
  /** Strings of the path, decoded. The keys are exactly the placeholders of `path`. */
  readonly params?: z.ZodObject
  /** Strings of the query, decoded. Unknown keys never reach the schema; a repeated known key is a 400. */
  readonly query?: z.ZodObject
  /** The JSON body. Use strict objects: an unknown field is a 400. */
  readonly body?: z.ZodType
  /** The file of a `multipart/form-data` body, in place of `body`. */
  readonly file?: FileShape
  /** Headers the operation looks at, by lower-case name; absent ones are absent. */
  readonly headers?: z.ZodObject
  /** Largest body in bytes, 256 KiB unless said; a larger one is a 413. */
  readonly maxBodyBytes?: number
  /** What bad `params` mean: a bad request (the default), or a path that does not exist. */
  readonly invalidParams?: 'invalid_request' | 'not_found'
}

/** One documented success. With neither `schema` nor `contentType` the answer is empty. */
export interface ResponseShape {
  readonly description: string
  /** The JSON body, without transforms: what is written is what is validated and documented. */
  readonly schema?: z.ZodType
  /**
   * A body that is not JSON, for instance `text/event-stream`; the reply's body is then text, bytes or a stream. The
   * reply's own `Content-Type` header wins. On a HEAD it only says which headers are kept: there is no body.
   */
  readonly contentType?: string
  /** Headers the reply must carry, by name, with their meaning; browsers may read them. */
  readonly headers?: Readonly<Record<string, string>>
}

export type RawBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** What a handler receives: the parsed output of each schema. */
export interface OperationInput<R extends RequestShape> {
  readonly params: Parsed<R['params']>
  readonly query: Parsed<R['query']>
  readonly body: Parsed<R['body']>
  readonly headers: Parsed<R['headers']>
  readonly file: R['file'] extends FileShape ? Uint8Array : undefined
}

type ReplyBody<S extends ResponseShape> = S extends { readonly schema: infer T extends z.ZodType }
  ?
      | { readonly body: z.input<T>; readonly json?: undefined }
      // For large answers, whose text would take longer to make than what it says.
      | { readonly json: Uint8Array<ArrayBuffer>; readonly body?: undefined }
  : S extends { readonly contentType: string }
    ? { readonly body: RawBody }
    : { readonly body?: undefined }

type ReplyHeaders<S extends ResponseShape> = S extends { readonly headers: infer H }
  ? { readonly headers: { readonly [K in keyof H]: string } }
  : { readonly headers?: Readonly<Record<string, string>> }

/** One of the documented successes, with the body its schema asks for. */
export type OperationReply<R extends Readonly<Record<number, ResponseShape>>> = {
  [S in keyof R & number]: { readonly status: S } & ReplyBody<R[S]> & ReplyHeaders<R[S]>
}[keyof R & number]

interface OperationFacts<R extends RequestShape, A extends Readonly<Record<number, ResponseShape>>> {
  /** For instance `GET_accountInfo`; unique in its API, and the name in generated clients. */
  readonly id: string
  readonly api: 'chain' | 'services' | 'studio'
  readonly method: Method
  /** Relative to the API's base, placeholders in braces: `/connector/{name}`. */
  readonly path: `/${string}`
  readonly tag: string
  /** A few words. */
  readonly summary: string
  /** Sentences for the reference page, in Markdown. */
  readonly description: string
  /** The placeholder at the end of `path` that takes every remaining segment, joined by slashes. */
  readonly restParam?: string
  /** `none` ignores any `Authorization` header, however broken. */
  readonly auth: 'none' | 'chain' | 'session'
  /** Pages that may read the answer: of any origin, or of the configured ones. `session` auth implies the latter. */
  readonly cors?: 'public' | 'session'
  readonly request: R
  /** The successes: status -> what it carries. */
  readonly responses: A
  /**
   * The failures that have a meaning of their own here: status -> description. A verb reaches them by throwing a
   * `Failure`; `errors.ts` maps its code to the status. 401 (with `auth`), 413 and 415 (with a body) are
   * documented by themselves.
   */
  readonly failures?: Readonly<Record<number, string>>
  /**
   * Body of a failure. Chain API: `{message}` (the default) or the publication's, with `status`, `tx_hash`,
   * `missing`, … Services API: empty (the default) or plain text.
   */
  readonly errors?: 'message' | 'publication' | 'text'
  /** Served, but not part of the described API. */
  readonly undocumented?: boolean
  /** What requests of it are counted as, for each account and each client address; uncounted unless said. */
  readonly limit?: LimitClass
  /**
   * `Cache-Control` of a success; `no-store` unless said, and `no-transform` as well where it is secret. Anything that may be stored has an ETag, and is a 304 for
   * clients that have it.
   */
  readonly cache?: string
  /**
   * What a success depends on besides the request line: the server may answer the same line from memory while none of
   * it changed. Only for reads without credentials, bodies and headers of their own.
   */
  readonly reads?: readonly ReadScope[]
  /** Runs before anything of the request is looked at, the token included; throws a `Failure` to stop. */
  readonly precheck?: (services: Services) => void
}

/** Parts of what is stored that change as one: what people draft, what the chain holds, its feed. */
export type ReadScope = 'drafts' | 'entities' | 'feed'

/** An operation as the dispatcher, the OpenAPI builder and the tests see it: the input's type is erased. */
export interface Operation extends OperationFacts<RequestShape, Readonly<Record<number, ResponseShape>>> {
  readonly handler: (ctx: Context, input: ErasedInput) => Promise<ErasedReply>
}

export interface ErasedInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly headers: unknown
  readonly file: Uint8Array | undefined
}

export interface ErasedReply {
  readonly status: number
  readonly body?: unknown
  /** The body as it goes over the wire, in place of `body`. */
  readonly json?: Uint8Array<ArrayBuffer> | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Declares one row of an API: its request, its answers, and a handler that calls one verb and maps the result to
 * the wire. Route, validation, CORS, document, typed client and contract tests follow from the value.
 *
 * @throws {Error} When the placeholders of the path and the keys of `params` differ.
 * @example
 * export const getTransformation = defineOperation({
 *   id: 'GET_transformation',
 *   api: 'chain',
 *   method: 'GET',
 *   path: '/transformation/{name}',
 *   tag: 'transformation',
 *   summary: 'Read a transformation',
 *   description: 'Drafts and published transformations alike; the source is never returned.',
 *   auth: 'none',
 *   request: { params: z.object({ name: entityName }) },
 *   responses: { 200: { description: 'The transformation', schema: transformationInfoResponse } },
 *   failures: { 400: 'Invalid name', 404: 'Transformation not found' },
 *   handler: async (ctx, { params }) => {
 *     const entity = await getEntity(ctx, 'transformation', params.name)
 *     return { status: 200, body: { name: entity.name, … } }
 *   },
 * })
 */
export function defineOperation<
  const R extends RequestShape,
  const A extends Readonly<Record<number, ResponseShape>>,
>(
  operation: OperationFacts<R, A> & {
    readonly handler: (ctx: Context, input: OperationInput<NoInfer<R>>) => Promise<OperationReply<NoInfer<A>>>
  },
): Operation {
  const placeholders = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)
  const declared = Object.keys(operation.request.params?.shape ?? {})
  if (placeholders.toSorted().join() !== declared.toSorted().join()) {
    throw new Error(`${operation.id}: path has [${placeholders}], params has [${declared}]`)
  }
  if (operation.restParam !== undefined && !operation.path.endsWith(`/{${operation.restParam}}`)) {
    throw new Error(`${operation.id}: {${operation.restParam}} is not the end of the path`)
  }
  const { method, auth, cors = 'public', request } = operation
  const secret = auth !== 'none' || cors !== 'public' || request.headers !== undefined
  if (operation.reads !== undefined && (method !== 'GET' || secret)) {
    throw new Error(`${operation.id}: only what depends on the request line alone can be kept`)
  }
  return {
    ...operation,
    // The dispatcher hands over what these same schemas produced.
    handler: (ctx, input) => operation.handler(ctx, input as OperationInput<R>),
  }
}

/**
 * Every failure an operation documents: its own, and those that follow from its shape. Unexpected failures (500)
 * and a busy server (503) are documented for all of them.
 */
export function documentedFailures(operation: Operation): ReadonlyMap<number, string> {
  const failures = new Map<number, string>()
  if (operation.auth !== 'none') failures.set(401, 'Missing, invalid or expired bearer token')
  if (operation.request.body !== undefined) {
    failures.set(413, `Body larger than ${operation.request.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES} bytes`)
    failures.set(415, 'The body is not announced as JSON, or it is compressed')
  }
  if (operation.request.file !== undefined) {
    failures.set(413, `File larger than ${operation.request.file.maxBytes} bytes`)
    failures.set(415, 'The body is compressed')
  }
  for (const [status, description] of Object.entries(operation.failures ?? {})) {
    failures.set(Number(status), description)
  }
  if (operation.limit !== undefined) {
    const own = failures.get(429)
    failures.set(429, own === undefined ? TOO_FAST : `${own}; or ${TOO_FAST.toLowerCase()}`)
  }
  return new Map([...failures].toSorted(([a], [b]) => a - b))
}

/**
 * Whether answers carry a secret or belong to a session. Their lengths must not depend on their content, or an attacker
 * who has a part of them reflected learns the rest (BREACH): neither this server nor a proxy may compress them.
 */
export function isSecret({
  auth,
  cors = 'public',
  limit,
}: Pick<Operation, 'auth' | 'cors' | 'limit'>): boolean {
  return auth !== 'none' || cors !== 'public' || limit === 'signIn'
}

/** Whether successes carry an ETag. */
export function revalidates({ method, cache = 'no-store' }: Pick<Operation, 'method' | 'cache'>): boolean {
  return method === 'GET' && !cache.includes('no-store')
}

const TOO_FAST = 'Too many such requests within a minute, `Retry-After` says how many seconds to wait'

export const DEFAULT_MAX_BODY_BYTES = 256 * 1024
