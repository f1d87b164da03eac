import type { z } from 'zod'
import type { Context, Services } from '#lib/core/context/context.ts'
import type { LimitClass } from '#lib/platform/limits/rate-limits.ts'
import type { FileShape } from './multipart.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** The inputs of an operation. Absent parts are neither read nor validated. */
export interface RequestShape {
  /** Strings of the path, decoded. The keys are exactly the placeholders of `path`. */
  readonly params?: z.ZodObject
  /** Strings of the query, decoded. Unknown keys never reach the schema; a repeated known key is a 400. */
  readonly query?: z.ZodObject
  /** The whole query as it was sent, in place of `query`, where any key may have a meaning. */
  readonly search?: true
  /** The JSON body. Use strict objects: an unknown field is a 400. */
  readonly body?: z.ZodType
  /** The file of a `multipart/form-data` body, in place of `body`. */
  readonly file?: FileShape
  /** A body of any type as text, in place of `body`. */
  readonly text?: { readonly maxBytes: number }
  /** Headers that the handler reads, by lower-case name. */
  readonly headers?: z.ZodObject
  /** Largest body in bytes, by default 256 KiB; a larger one is a 413. */
  readonly maxBodyBytes?: number
  /** The failure for invalid `params`: a bad request (the default), or a path that does not exist. */
  readonly invalidParams?: 'invalid_request' | 'not_found'
}

/** One documented success. With neither `schema` nor `contentType` the answer is empty. */
export interface ResponseShape {
  readonly description: string
  /** The JSON body, without transforms: what is written is what is validated and documented. */
  readonly schema?: z.ZodType
  /**
   * A body that is not JSON, for instance `text/event-stream`; the reply's body is then text, bytes or a stream. The
   * reply's own `Content-Type` header wins. On a HEAD it only allows that header: there is no body.
   */
  readonly contentType?: string
  /** Headers the reply must carry, by name, with their meaning; browsers may read them. */
  readonly headers?: Readonly<Record<string, string>>
}

export type RawBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** The input of a handler: the parsed output of each schema. */
export interface OperationInput<R extends RequestShape> {
  readonly params: Parsed<R['params']>
  readonly query: Parsed<R['query']>
  readonly search: R['search'] extends true ? URLSearchParams : undefined
  readonly body: Parsed<R['body']>
  readonly headers: Parsed<R['headers']>
  readonly file: R['file'] extends FileShape ? Uint8Array : undefined
  readonly text: R['text'] extends object ? string : undefined
}

type ReplyBody<S extends ResponseShape> = S extends { readonly schema: infer T extends z.ZodType }
  ?
      | { readonly body: z.input<T>; readonly json?: undefined }
      // For large bodies that are already encoded.
      | { readonly json: Uint8Array<ArrayBuffer>; readonly body?: undefined }
  : S extends { readonly contentType: string }
    ? { readonly body: RawBody }
    : { readonly body?: undefined }

type ReplyHeaders<S extends ResponseShape> = S extends { readonly headers: infer H }
  ? { readonly headers: { readonly [K in keyof H]: string } }
  : { readonly headers?: Readonly<Record<string, string>> }

/** Names one of several successes in a reply. */
type ReplyStatus<S, All> = [All] extends [S] ? { readonly status?: S } : { readonly status: S }

/** One of the documented successes, with a body of its schema. */
export type OperationReply<R extends Readonly<Record<number, ResponseShape>>> = {
  [S in keyof R & number]: ReplyStatus<S, keyof R & number> & ReplyBody<R[S]> & ReplyHeaders<R[S]>
}[keyof R & number]

/** Calls one verb and maps the result to the wire; returns nothing where the only success is empty. */
export type OperationHandler<R extends RequestShape, A extends Readonly<Record<number, ResponseShape>>> = (
  ctx: Context,
  input: OperationInput<R>,
) => Promise<OperationReply<A>> | ([keyof A & number] extends [204] ? Promise<void> : never)

/** An operation as a tool of agents. */
export interface ToolFacts {
  readonly name: string
  /**
   * The effect of a call on the network: none, reversible by its owner, or permanent. Clients request consent
   * accordingly.
   */
  readonly effect: 'reads' | 'drafts' | 'publishes'
  /** In place of the description of the operation, where that is about the API's paths. */
  readonly description?: string
  /** For the agent, beyond the description. */
  readonly advice?: string
  /** Whether hosts that can show the result to the user: `lib/server/mcp/views.ts`. */
  readonly shows?: boolean
}

export interface OperationFacts<R extends RequestShape, A extends Readonly<Record<number, ResponseShape>>> {
  /** Begins with the method, for instance `GET_accountInfo`; unique in its API, and the name in generated clients. */
  readonly id: `${Method}_${string}`
  readonly api: 'chain' | 'services' | 'studio' | 'site'
  /** Relative to the API's base, placeholders in braces: `/connector/{name}`. */
  readonly path: `/${string}`
  readonly tag: string
  /** A few words. */
  readonly summary: string
  /** Sentences for the reference page, in Markdown. */
  readonly description: string
  /** The placeholder at the end of `path` that takes every remaining segment, joined by slashes. */
  readonly restParam?: string
  /** The tool that agents call the operation by, over MCP; an operation without one is no tool. */
  readonly tool?: ToolFacts
  /**
   * `none` ignores any `Authorization` header, however broken. `optional` takes the session where it is valid, and else
   * serves a visitor.
   */
  readonly auth: 'none' | 'optional' | 'chain' | 'session'
  /**
   * Origins whose pages may read the response: any, or the configured ones, which `session` auth implies; `simple` is any
   * without preflights, `none` the site's own pages alone.
   */
  readonly cors?: 'public' | 'session' | 'simple' | 'none'
  /** `WWW-Authenticate` of a 401; by default `Bearer`. */
  readonly challenge?: string
  readonly request: R
  /** The successes: status -> what it carries. */
  readonly responses: A
  /**
   * The operation's own failures: status -> description. A verb throws a `Failure`, and `errors.ts` maps its code to the
   * status. 401 (with `auth`), 413 and 415 (with a body), and 507 (with `storesFiles`) are documented automatically.
   */
  readonly failures?: Readonly<Record<number, string>>
  /**
   * Body of a failure. Chain API: `{message}` (the default) or the publication's, with `status`, `tx_hash`,
   * `missing`, … Services API: empty (the default) or plain text.
   */
  readonly errors?: 'message' | 'publication' | 'text'
  /**
   * Owner of the limited bytes where it stores files, beyond which it is a 507: those of the account and of the site, or, for
   * what ends by itself, of the site alone.
   */
  readonly storesFiles?: 'account' | 'site'
  /** Which errors of the database are a 503: `all`, where no 500 is documented; by default those of one that cannot serve. */
  readonly storageErrors?: 'all'
  /** Beyond the specification: the document marks it by `x-addition`. */
  readonly addition?: boolean
  /** Example of request and response, where the API's list of examples does not have it. */
  readonly example?: { readonly request?: unknown; readonly response?: unknown }
  /** Served, but not part of the described API. */
  readonly undocumented?: boolean
  /** The rate limit of its requests, for each account and each client address; by default none. */
  readonly limit?: LimitClass
  /**
   * `Cache-Control` of a success; by default `no-store`, with `no-transform` where it is secret. A response that may be
   * stored has an ETag and can be a 304.
   */
  readonly cache?: string
  /** Runs before any part of the request is read, the token included; throws a `Failure` to refuse it. */
  readonly precheck?: (services: Services) => void
}

/** An operation without the type of its input, for the dispatcher, the OpenAPI builder and the tests. */
export interface Operation extends OperationFacts<RequestShape, Readonly<Record<number, ResponseShape>>> {
  readonly method: Method
  readonly handler: (ctx: Context, input: ErasedInput) => Promise<ErasedReply>
  /** Answers in place of `handler`, before any limit and without services: of probes, which are asked while both fail. */
  readonly probe?: (input: ErasedInput) => Promise<ErasedReply>
}

export interface ErasedInput {
  readonly params: unknown
  readonly query: unknown
  readonly search: URLSearchParams | undefined
  readonly body: unknown
  readonly headers: unknown
  readonly file: Uint8Array | undefined
  readonly text: string | undefined
}

export interface ErasedReply {
  readonly status: number
  readonly body?: unknown
  /** The body as it goes over the wire, in place of `body`. */
  readonly json?: Uint8Array<ArrayBuffer> | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Declares one operation of an API: its request, its responses, and a handler that calls one verb and maps the result to
 * the wire. Route, validation, CORS, document, typed client, MCP tool and contract tests are derived from the value.
 *
 * @throws {Error} When the placeholders of the path and the keys of `params` differ.
 * @example
 * export const getTransformation = defineOperation({
 *   id: 'GET_transformation',
 *   api: 'chain',
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
 *     return { body: { name: entity.name, … } }
 *   },
 * })
 */
export function defineOperation<
  const R extends RequestShape,
  const A extends Readonly<Record<number, ResponseShape>>,
>(
  operation: OperationFacts<R, A> & {
    readonly handler: OperationHandler<NoInfer<R>, NoInfer<A>>
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
  const [success = 0] = Object.keys(operation.responses).map(Number)
  return {
    ...operation,
    method: operation.id.slice(0, operation.id.indexOf('_')) as Method,
    // The dispatcher hands over what these same schemas produced.
    handler: async (ctx, input) => ({
      status: success,
      ...(await operation.handler(ctx, input as OperationInput<R>)),
    }),
  }
}

/** Declares an operation that reports on the process itself, and so waits for nothing that requests share. */
export function defineProbe<
  const R extends RequestShape,
  const A extends Readonly<Record<number, ResponseShape>>,
>(
  operation: OperationFacts<R, A> & {
    readonly probe: (input: OperationInput<NoInfer<R>>) => Promise<OperationReply<NoInfer<A>>>
  },
): Operation {
  const { probe, ...facts } = operation
  const defined = defineOperation<R, A>({ ...facts, handler: (_, input) => probe(input) })
  // A probe has no context to read.
  return { ...defined, probe: (input) => defined.handler(undefined as never, input) }
}

/**
 * Every failure that an operation documents: its own, and those implied by its shape. The document adds 500 and 503 to
 * all of them.
 */
export function documentedFailures(operation: Operation): ReadonlyMap<number, string> {
  const failures = new Map<number, string>()
  if (requiresIdentity(operation)) failures.set(401, 'Missing, invalid or expired bearer token')
  if (operation.request.body !== undefined) {
    failures.set(413, `Body larger than ${operation.request.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES} bytes`)
    failures.set(415, 'The body is not announced as JSON, or it is compressed')
  }
  if (operation.request.file !== undefined) {
    failures.set(413, `File larger than ${operation.request.file.maxBytes} bytes`)
    failures.set(415, 'The body is compressed')
  }
  if (operation.storesFiles !== undefined) {
    const full = operation.storesFiles === 'account' ? 'The account, or the site,' : 'The site'
    failures.set(507, `${full} has as many bytes of Worlds as it may`)
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

/** Whether a request without a valid token or cookie is a 401. */
export function requiresIdentity({ auth }: Pick<Operation, 'auth'>): boolean {
  return auth === 'chain' || auth === 'session'
}

/**
 * Whether responses carry a secret or belong to a session. Neither this server nor a proxy may compress those: the length
 * of a compressed body reveals a secret beside reflected input (BREACH).
 */
export function isSecret({
  auth,
  cors = 'public',
  limit,
}: Pick<Operation, 'auth' | 'cors' | 'limit'>): boolean {
  return auth !== 'none' || cors !== 'public' || limit === 'signIn'
}

/** Whether a response depends on the request line alone, so that concurrent clients can share one. */
export function isShareable(operation: Operation): boolean {
  const { request, limit } = operation
  return (
    revalidates(operation) && !isSecret(operation) && request.headers === undefined && limit === undefined
  )
}

/** Whether successes carry an ETag. */
export function revalidates({ method, cache = 'no-store' }: Pick<Operation, 'method' | 'cache'>): boolean {
  return method === 'GET' && !cache.includes('no-store')
}

const TOO_FAST = 'Too many such requests within a minute; `Retry-After` has the delay in seconds'

export const DEFAULT_MAX_BODY_BYTES = 256 * 1024
