import type { z } from 'zod'
import type { WorldManifest } from '#lib/compute/bundle/manifest.ts'
import { getWorld as findWorld } from '#lib/core/worlds/get-world.ts'
import { listWorlds } from '#lib/core/worlds/list-worlds.ts'
import { deleteWorld, uploadWorld } from '#lib/core/worlds/publish-world.ts'
import { replaceWorld } from '#lib/core/worlds/replace-world.ts'
import { validateWorld } from '#lib/core/worlds/validate-world.ts'
import type { World } from '#lib/core/worlds/world.ts'
import { checksumAddress } from '#lib/protocol/address.ts'
import { defineOperation } from '../../http/operation.ts'
import {
  bundleFile,
  validateResponse,
  worldDescriptor,
  worldList,
  worldParams,
  worldsQuery,
} from './world-schemas.ts'

const shared = { api: 'services', tag: 'worlds', errors: 'text' } as const

const INVALID_BUNDLE = 'Invalid bundle or manifest; the text lists all problems'

export const getWorlds = defineOperation({
  ...shared,
  id: 'GET_worlds',
  path: '/worlds',
  summary: 'List Worlds',
  description: 'Active Worlds, the one changed last first.',
  auth: 'none',
  request: { query: worldsQuery },
  responses: { 200: { description: 'A page of Worlds', schema: worldList } },
  failures: { 400: 'Invalid surface, page, limit or search text' },
  cache: 'no-cache',
  handler: async (ctx, { query: { q, ...query } }) => ({
    body: (await listWorlds(ctx, { ...query, search: q })).map(worldWire),
  }),
})

export const getWorld = defineOperation({
  ...shared,
  id: 'GET_world',
  path: '/worlds/{id}',
  summary: 'Read a World',
  description: 'An active World; a deleted one is not found.',
  auth: 'none',
  request: { params: worldParams, invalidParams: 'not_found' },
  responses: { 200: { description: 'The World', schema: worldDescriptor } },
  failures: { 404: 'World not found' },
  cache: 'no-cache',
  handler: async (ctx, { params }) => ({ body: worldWire(await findWorld(ctx, params.id)) }),
})

export const postWorldValidate = defineOperation({
  ...shared,
  id: 'POST_worldValidate',
  path: '/worlds/validate',
  summary: 'Check a bundle',
  description: 'Validates the bundle as an upload would, with advice, and stores nothing.',
  auth: 'none',
  limit: 'upload',
  request: { file: bundleFile },
  responses: { 200: { description: 'What would be published', schema: validateResponse } },
  failures: { 400: INVALID_BUNDLE },
  handler: async (ctx, { file }) => {
    const { manifest, bundleHash, manifestHash, warnings } = await validateWorld(ctx, file)
    return {
      body: {
        descriptor: manifestWire(manifest),
        bundleHash,
        manifestHash,
        warnings: [...warnings],
      },
    }
  },
})

export const postWorldUpload = defineOperation({
  ...shared,
  id: 'POST_worldUpload',
  path: '/worlds/upload',
  summary: 'Publish a World',
  description: 'The caller becomes the owner. A slug belongs to at most one active World.',
  auth: 'session',
  limit: 'upload',
  storesFiles: 'account',
  request: { file: bundleFile },
  responses: { 200: { description: 'The World', schema: worldDescriptor } },
  failures: {
    400: INVALID_BUNDLE,
    409: 'An active World has the slug',
    429: 'The account has reached its limit of Worlds',
  },
  handler: async (ctx, { file }) => ({ body: worldWire(await uploadWorld(ctx, file)) }),
})

export const patchWorld = defineOperation({
  ...shared,
  id: 'PATCH_world',
  path: '/worlds/{id}',
  summary: 'Replace the bundle of a World',
  description:
    'For its owner and administrators. The id and the slug stay. Identical files change nothing; other files ' +
    'need another version.',
  auth: 'session',
  limit: 'upload',
  storesFiles: 'account',
  request: { params: worldParams, file: bundleFile, invalidParams: 'not_found' },
  responses: { 200: { description: 'The changed World', schema: worldDescriptor } },
  failures: {
    400: INVALID_BUNDLE,
    403: 'Not the owner',
    404: 'World not found',
    409: 'Another slug, or other files under the version that is published',
  },
  handler: async (ctx, { params, file }) => ({
    body: worldWire(await replaceWorld(ctx, { id: params.id, zip: file })),
  }),
})

export const deleteWorldById = defineOperation({
  ...shared,
  id: 'DELETE_world',
  path: '/worlds/{id}',
  summary: 'Delete a World',
  description: 'For its owner. Its files are no longer served, and its slug becomes available.',
  auth: 'session',
  limit: 'write',
  request: { params: worldParams, invalidParams: 'not_found' },
  responses: { 204: { description: 'Deleted' } },
  failures: { 403: 'Not the owner', 404: 'World not found' },
  handler: (ctx, { params }) => deleteWorld(ctx, params.id),
})

/** A World as clients see it. */
function worldWire(world: World): z.input<typeof worldDescriptor> {
  const { manifest } = world
  return {
    id: world.id,
    ...manifestWire(manifest),
    entryUrn: `/world-assets/${world.id}/${manifest.entry.split('/').map(encodeURIComponent).join('/')}`,
    ownerId: checksumAddress(world.owner),
    bundleHash: world.bundleHash,
    manifestHash: world.manifestHash,
    // Deleted Worlds are not found.
    status: 'active',
    createdAt: world.createdAt.toISOString(),
    updatedAt: world.updatedAt.toISOString(),
  }
}

/** Published part of a manifest. Clients take an empty optional text for a mistake, so there is none. */
function manifestWire(manifest: WorldManifest): z.input<typeof validateResponse>['descriptor'] {
  const {
    schemaVersion: _schemaVersion,
    chainApiVersion: _chainApiVersion,
    remixOf: _remixOf,
    entry,
    ...rest
  } = manifest
  return { ...rest, entryPath: entry }
}
