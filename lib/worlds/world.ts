import type { Address } from '../domain/entity.ts'
import type { WorldManifest } from './bundle/manifest.ts'

/** A World as its owner published it last. */
export interface World {
  readonly id: string
  readonly owner: Address
  readonly manifest: WorldManifest
  readonly bundleHash: string
  readonly manifestHash: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What `worldColumns` selects. */
export interface WorldRow {
  readonly id: string
  readonly owner: Address
  readonly manifest: WorldManifest
  readonly bundle_hash: string
  readonly manifest_hash: string
  readonly created_ms: number
  readonly updated_ms: number
}

export function toWorld(row: WorldRow): World {
  return {
    id: row.id,
    owner: row.owner,
    manifest: row.manifest,
    bundleHash: row.bundle_hash,
    manifestHash: row.manifest_hash,
    createdAt: new Date(row.created_ms),
    updatedAt: new Date(row.updated_ms),
  }
}
