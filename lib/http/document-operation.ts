import type { OpenApiDocument } from './openapi.ts'
import { defineOperation, type Operation } from './operation.ts'

/**
 * The operation that serves an API's own document at `/openapi.json`, built on first use.
 *
 * @param build Draws the document.
 */
export function documentOperation(api: Operation['api'], build: () => OpenApiDocument): Operation {
  let text: string | undefined
  return defineOperation({
    id: 'GET_openapi',
    api,
    method: 'GET',
    path: '/openapi.json',
    tag: 'core',
    summary: 'This document',
    description: `The OpenAPI 3.0.3 document of the ${api} API.`,
    auth: 'none',
    undocumented: true,
    request: {},
    responses: { 200: { description: 'The document', contentType: 'application/json' } },
    cache: 'public, max-age=60',
    reads: [],
    handler: async () => {
      text ??= JSON.stringify(build())
      return { status: 200, body: text }
    },
  })
}
