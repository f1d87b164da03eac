import { buildDocument, type OpenApiDocument } from '../../http/openapi.ts'
import type { Operation } from '../../http/operation.ts'
import { chainExamples } from './examples.ts'
import { errorResponse, publishError } from './response-schemas.ts'
import { API_VERSION } from './version.ts'

/** OpenAPI 3.0.3 document of the chain API. */
export function chainDocument(operations: readonly Operation[]): OpenApiDocument {
  return buildDocument(operations, {
    title: 'Weft chain API',
    version: API_VERSION,
    description: DESCRIPTION,
    server: '/chain',
    tags: TAGS,
    securitySchemes: {
      chain: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'The `access_token` of `POST /auth`, valid five minutes.',
      },
    },
    errorSchema: (operation) => (operation.errors === 'publication' ? publishError : errorResponse),
    examples: chainExamples,
  })
}

const DESCRIPTION = `Named entities that generate numbers: connectors, the transformations they call and the
conditions that guard them. Create them as drafts, simulate them, publish them through the registry contract and
execute them on chain.

Reading, simulating and executing need no account. To create and publish, log in with an Ethereum account:
\`GET /nonce/{address}\`, sign \`Login nonce: <nonce>\` (EIP-191), \`POST /auth\`, and send the token as
\`Authorization: Bearer <token>\`.

Failures always carry \`{"message": "…"}\`. Request bodies are JSON in UTF-8; unknown fields and repeated keys are
refused, unknown query keys are ignored.

Reads that may be stored carry an \`ETag\`: with it as \`If-None-Match\`, one that is unchanged is a 304 without a body.
Answers over 1 KiB are gzipped for clients that accept it; bodies of requests are sent as they are (415).`

const TAGS = {
  core: 'About this server.',
  auth: 'Log in with an Ethereum account.',
  account: 'Owners and what they own.',
  connector: 'Ordered dimensions of transformation calls.',
  transformation: 'Solidity bodies that step a value.',
  condition: 'Solidity bodies that let a connector run or stop it.',
  format: 'The shape of what connectors put out.',
  feed: 'What was published: in pages, and as a stream.',
  runner: 'Generate particles, off chain and on chain.',
  publish: 'Put a draft on chain: prepare, send, confirm.',
}
