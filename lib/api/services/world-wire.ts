import type { z } from 'zod'
import { checksumAddress } from '../../domain/address.ts'
import type { WorldManifest } from '../../worlds/bundle/manifest.ts'
import type { World } from '../../worlds/world.ts'
import type { validateResponse, worldDescriptor } from './world-schemas.ts'

/** A World as clients see it. */
export function worldWire(world: World): z.input<typeof worldDescriptor> {
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

/** What of a manifest is published. Clients take an empty optional text for a mistake, so there is none. */
export function manifestWire(manifest: WorldManifest): z.input<typeof validateResponse>['descriptor'] {
  const { schemaVersion: _schemaVersion, chainApiVersion: _chainApiVersion, entry, ...rest } = manifest
  return { ...rest, entryPath: entry }
}
