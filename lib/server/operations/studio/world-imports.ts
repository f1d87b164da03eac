import { z } from 'zod'
import { importWorld } from '#lib/core/worlds/import-world.ts'
import { sharedOperation } from './studio-operation.ts'

const MAX_ORIGIN = 300

export const postWorldImport = sharedOperation({
  id: 'POST_worldImport',
  path: '/world-imports',
  tag: 'worlds',
  summary: 'Import a bundle from another site by its hash',
  description:
    'The bundle is read at `/services/world-bundles/{hash}` of that site, and its hash computed again. Where the World of ' +
    'its slug is here in another version, it becomes an earlier version of that World, for its owner and ' +
    'administrators; else a new World of the caller.',
  limit: 'upload',
  storesFiles: 'account',
  request: {
    body: z.strictObject({
      bundle_hash: z.string().regex(/^[0-9a-f]{64}$/),
      from: z.string().max(MAX_ORIGIN).meta({ description: 'Origin of the other site.' }),
    }),
  },
  responses: {
    200: {
      description: 'The World, in this version',
      schema: z.strictObject({
        id: z.string(),
        slug: z.string(),
        version: z.string(),
        bundle_hash: z.string(),
      }),
    },
  },
  failures: {
    400: 'An address that is not public, a site that sends no such bundle, or an invalid one; the text says which',
    403: 'The World belongs to another account',
  },
  example: {
    request: {
      bundle_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      from: 'https://weft.example',
    },
    response: {
      id: 'wld_4q2xk7m3p5r6s7t2u3v4',
      slug: 'night-loom',
      version: '0.1.0',
      bundle_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
  },
  handler: async (ctx, { body }) => {
    const { id, manifest, bundleHash } = await importWorld(ctx, {
      bundleHash: body.bundle_hash,
      from: body.from,
    })
    return { body: { id, slug: manifest.slug, version: manifest.version, bundle_hash: bundleHash } }
  },
})
