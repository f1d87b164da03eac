import type { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi'
import type { Services } from '#lib/core/context/context.ts'
import { ERROR_STATUS } from './errors.ts'
import type { FileShape } from './multipart.ts'
import { defineOperation, documentedFailures, type Operation, revalidates } from './operation.ts'

export interface DocumentFacts {
  readonly title: string
  readonly version: string
  readonly description: string
  /** Base of the API, relative to the origin that serves the document: `/chain`. */
  readonly server: string
  /** Subjects of the operations of each tag; the list of tags is that of the operations. */
  readonly tags: Readonly<Record<string, string>>
  readonly securitySchemes: SecuritySchemes
  /** The body of a failure, `undefined` when failures are empty. */
  readonly errorSchema: (operation: Operation) => z.ZodType | undefined
  readonly examples?: OperationExamples
}

/** Examples of requests and responses, by operation id: bodies as JSON values, or as text where they are not JSON. */
export type OperationExamples = Readonly<
  Record<string, { readonly request?: unknown; readonly response?: unknown }>
>

type SecuritySchemes = NonNullable<NonNullable<ZodOpenApiObject['components']>['securitySchemes']>

export type OpenApiDocument = ReturnType<typeof createDocument>

/**
 * Builds the OpenAPI 3.0.3 document of operations, without those marked `undocumented`.
 *
 * @throws {Error} When a tag has no description.
 */
export function buildDocument(operations: readonly Operation[], facts: DocumentFacts): OpenApiDocument {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  const tags = new Set<string>()
  for (const operation of operations) {
    if (operation.undocumented === true) continue
    if (facts.tags[operation.tag] === undefined)
      throw new Error(`${operation.id}: the tag ${operation.tag} has no description`)
    tags.add(operation.tag)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation, facts),
    }
  }
  const { title, version, description } = facts
  const source: ZodOpenApiObject = {
    openapi: '3.0.3',
    info: {
      title,
      version,
      description,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: facts.server }],
    tags: [...tags].map((name) => ({ name, description: facts.tags[name] as string })),
    components: { securitySchemes: facts.securitySchemes },
    paths,
  }
  return createDocument(source, {
    // Of the two, generators take one; the pattern that the library adds to a date is 250 characters of it.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
    },
  })
}

function securityOf({ auth }: Operation): Record<string, string[]>[] {
  if (auth === 'none') return []
  // An empty requirement is one that every request meets.
  return auth === 'optional' ? [{}, { session: [] }] : [{ [auth]: [] }]
}

function describe(operation: Operation, facts: DocumentFacts): ZodOpenApiOperationObject {
  const { params, query, headers, body, file } = operation.request
  const example = operation.example ?? facts.examples?.[operation.id] ?? {}
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    security: securityOf(operation),
    ...(operation.addition && { 'x-addition': true }),
    requestParams: {
      ...(params !== undefined && { path: params }),
      ...(query !== undefined && { query }),
      ...(headers !== undefined && { header: headers }),
    },
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: body, ...exampleOf(example.request) } },
      },
    }),
    ...(file !== undefined && { requestBody: { required: true, content: formOf(file) } }),
    responses: {
      ...successes(operation, example.response),
      ...failures(operation, facts.errorSchema(operation)),
    },
  }
}

function exampleOf(example: unknown) {
  return example === undefined ? {} : { example }
}

function formOf({ field, description }: FileShape) {
  return {
    'multipart/form-data': {
      schema: {
        type: 'object' as const,
        properties: { [field]: { type: 'string' as const, format: 'binary', description } },
        required: [field],
      },
      encoding: { [field]: { contentType: 'application/zip' } },
    },
  }
}

function successes(operation: Operation, example: unknown): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {}
  for (const [status, shape] of Object.entries(operation.responses)) {
    const carried = { ...(revalidates(operation) && ETAG), ...shape.headers }
    const headers = Object.entries(carried).map(
      ([name, description]) => [name, { description, schema: { type: 'string' as const } }] as const,
    )
    responses[status as `${1 | 2 | 3 | 4 | 5}${string}`] = {
      description: shape.description,
      ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
      ...(shape.schema !== undefined && {
        content: { 'application/json': { schema: shape.schema, ...exampleOf(example) } },
      }),
      ...(shape.contentType !== undefined &&
        operation.method !== 'HEAD' && {
          content: { [shape.contentType]: { schema: { type: 'string' as const }, ...exampleOf(example) } },
        }),
    }
  }
  return responses
}

const ETAG = { ETag: 'Send it as `If-None-Match` to receive a 304 without a body if nothing has changed.' }

/** Errors of every operation. Not a `default` response: generators apply its schema to successes as well. */
const UNEXPECTED = new Map([
  [500, 'Something broke on our side: `X-Request-Id` names the request in our logs'],
  [503, 'The server is overloaded, or a dependency is unavailable: `Retry-After` has the delay'],
])

function failures(operation: Operation, schema: z.ZodType | undefined): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {}
  for (const [status, description] of new Map([...UNEXPECTED, ...documentedFailures(operation)])) {
    const empty = operation.errors === 'text' && status === 401
    const waits = status === 503 || (status === 429 && operation.limit !== undefined)
    responses[String(status) as `${1 | 2 | 3 | 4 | 5}${string}`] = {
      description,
      headers: { ...errorCodeHeader(status), ...(waits && RETRY_AFTER) },
      ...(!empty && failureContent(operation, schema, status, description)),
    }
  }
  return responses
}

function errorCodeHeader(status: number) {
  const codes = Object.entries(ERROR_STATUS).flatMap(([code, of]) => (of === status ? `\`${code}\`` : []))
  const description = `Stable code of the error, here ${codes.join(' or ')}: see \`/docs/errors\`.`
  return { 'X-Error-Code': { description, schema: { type: 'string' as const } } }
}

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'string' as const } },
}

function failureContent(
  { method, errors }: Operation,
  schema: z.ZodType | undefined,
  status: number,
  message: string,
) {
  if (method === 'HEAD') return {}
  if (errors === 'text')
    return { content: { 'text/plain': { schema: { type: 'string' as const }, example: message } } }
  const example = status === 202 ? { message, status: 'pending' } : { message }
  return schema === undefined ? {} : { content: { 'application/json': { schema, example } } }
}

/**
 * The operation that serves an API's own document at `/openapi.json`, built on first use.
 *
 * @param build Draws the document.
 */
export function documentOperation(
  api: Operation['api'],
  build: (config: Services['config']) => OpenApiDocument,
): Operation {
  const texts = new WeakMap<Services['config'], string>()
  return defineOperation({
    id: 'GET_openapi',
    api,
    path: '/openapi.json',
    tag: 'core',
    summary: 'This document',
    description: `The OpenAPI 3.0.3 document of the ${api} API.`,
    auth: 'none',
    undocumented: true,
    request: {},
    responses: { 200: { description: 'The document', contentType: 'application/json' } },
    cache: 'public, max-age=60',
    handler: async ({ config }) => {
      const text = texts.get(config) ?? JSON.stringify(build(config))
      texts.set(config, text)
      return { body: text }
    },
  })
}
