import { defineOperation, type Operation } from '../../http/operation.ts'
import { servicesDocument } from './document.ts'

/** Serves the document of `operations`, built on first use. */
export function getDocument(operations: readonly Operation[]): Operation {
  let text: string | undefined
  return defineOperation({
    id: 'GET_openapi',
    api: 'services',
    method: 'GET',
    path: '/openapi.json',
    tag: 'core',
    summary: 'This document',
    description: 'The OpenAPI 3.0.3 document of the services API.',
    auth: 'none',
    undocumented: true,
    request: {},
    responses: { 200: { description: 'The document', contentType: 'application/json' } },
    cache: 'public, max-age=60',
    handler: async () => {
      text ??= JSON.stringify(servicesDocument(operations))
      return { status: 200, body: text }
    },
  })
}
