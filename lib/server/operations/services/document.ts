import { buildDocument, type OpenApiDocument } from '../../http/openapi.ts'
import type { Operation } from '../../http/operation.ts'
import { servicesExamples } from './examples.ts'

/** The OpenAPI 3.0.3 document of the services API. */
export function servicesDocument(operations: readonly Operation[]): OpenApiDocument {
  return buildDocument(operations, {
    title: 'Weft services API',
    version: '0.4.0',
    description: DESCRIPTION,
    server: '/services',
    tags: TAGS,
    securitySchemes: {
      session: {
        type: 'http',
        scheme: 'bearer',
        description:
          'The session token of `POST /auth/siwe/verify`, valid 24 hours or until `POST /auth/logout`.',
      },
    },
    errorSchema: () => undefined,
    examples: servicesExamples,
  })
}

const DESCRIPTION = `People and Worlds: sign in with an Ethereum wallet, keep a profile, follow others, publish Worlds
and load their files.

Reading needs no account. To sign in, \`POST /auth/siwe/challenge\`, sign the message (EIP-191) with the wallet,
\`POST /auth/siwe/verify\`, and send the token as \`Authorization: Bearer <token>\`. It is not the token of the chain API.

Failures have an empty body; those of Worlds and of the additions describe the problem in plain text. Addresses are spelled as in EIP-55.

Reads that may be stored carry an \`ETag\`: with it as \`If-None-Match\`, one that is unchanged is a 304 without a body.
Answers over 1 KiB are gzipped for clients that accept it; bodies of requests are sent as they are (415).`

const TAGS = {
  core: 'About this server.',
  auth: 'Sign in with an Ethereum wallet (EIP-4361).',
  users: 'Profiles.',
  social: 'Follows between users.',
  worlds: 'Publish and find Worlds.',
  assets: 'Files of Worlds and the modules they are written with.',
  publication:
    'Several publications as one transaction, sent by their owner or paid for by this site. An addition of Weft: `x-addition` in the document.',
  pieces:
    'How owners show their pieces, and pictures that they took of them. An addition of Weft: `x-addition` in the document.',
  webhooks:
    'Addresses of an account that are called with what is published: see [webhooks](/docs/webhooks). An addition of Weft: `x-addition` in the document.',
}
