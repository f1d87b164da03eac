import type { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi'
import type { FileShape } from './multipart.ts'
import { documentedFailures, type Operation } from './operation.ts'

export interface DocumentFacts {
  readonly title: string
  readonly version: string
  readonly description: string
  /** Base of the API, relative to the origin that serves the document: `/chain`. */
  readonly server: string
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly securitySchemes: SecuritySchemes
  /** The body of a failure, `undefined` when failures are empty. */
  readonly errorSchema: (operation: Operation) => z.ZodType | undefined
}

type SecuritySchemes = NonNullable<NonNullable<ZodOpenApiObject['components']>['securitySchemes']>

export type OpenApiDocument = ReturnType<typeof createDocument>

/** Draws operations as an OpenAPI 3.0.3 document. Operations marked `undocumented` are left out. */
export function buildDocument(operations: readonly Operation[], facts: DocumentFacts): OpenApiDocument {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const operation of operations) {
    if (operation.undocumented === true) continue
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
    tags: facts.tags.map((tag) => ({ ...tag })),
    components: { securitySchemes: facts.securitySchemes },
    paths,
  }
  return createDocument(source)
}

function describe(operation: Operation, facts: DocumentFacts): ZodOpenApiOperationObject {
  const { params, query, headers, body, file } = operation.request
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    security: operation.auth === 'none' ? [] : [{ [operation.auth]: [] }],
    requestParams: {
      ...(params !== undefined && { path: params }),
      ...(query !== undefined && { query }),
      ...(headers !== undefined && { header: headers }),
    },
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
    }),
    ...(file !== undefined && { requestBody: { required: true, content: formOf(file) } }),
    responses: { ...successes(operation), ...failures(operation, facts.errorSchema(operation)) },
  }
}

function formOf({ field, description }: FileShape) {
  return {
    'multipart/form-data': {
      schema: {
        type: 'object' as const,
        properties: { [field]: { type: 'string' as const, format: 'binary', description } },
        required: [field],
      },
    },
  }
}

function successes(operation: Operation): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {}
  for (const [status, shape] of Object.entries(operation.responses)) {
    const headers = Object.entries(shape.headers ?? {}).map(
      ([name, description]) => [name, { description, schema: { type: 'string' as const } }] as const,
    )
    responses[status as `${1 | 2 | 3 | 4 | 5}${string}`] = {
      description: shape.description,
      ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
      ...(shape.schema !== undefined && { content: { 'application/json': { schema: shape.schema } } }),
      ...(shape.contentType !== undefined &&
        operation.method !== 'HEAD' && {
          content: { [shape.contentType]: { schema: { type: 'string' as const } } },
        }),
    }
  }
  return responses
}

function failures(operation: Operation, schema: z.ZodType | undefined): ZodOpenApiResponsesObject {
  const content = failureContent(operation, schema)
  const responses: ZodOpenApiResponsesObject = {}
  for (const [status, description] of documentedFailures(operation)) {
    const empty = operation.errors === 'text' && status === 401
    responses[String(status) as `${1 | 2 | 3 | 4 | 5}${string}`] = {
      description,
      ...(status === 429 && operation.limit !== undefined && { headers: RETRY_AFTER }),
      ...(!empty && content),
    }
  }
  responses.default = {
    description:
      'Anything else: 500 with a neutral text when something broke on our side, 503 with `Retry-After` when the server is too busy.',
    headers: {
      'X-Request-Id': { description: 'Names this request in our logs.', schema: { type: 'string' } },
    },
    ...content,
  }
  return responses
}

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'string' as const } },
}

function failureContent(operation: Operation, schema: z.ZodType | undefined) {
  if (operation.method === 'HEAD') return {}
  if (operation.errors === 'text')
    return { content: { 'text/plain': { schema: { type: 'string' as const } } } }
  return schema === undefined ? {} : { content: { 'application/json': { schema } } }
}
