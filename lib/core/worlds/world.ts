import { randomBytes } from 'node:crypto'
import type { WorldManifest } from '#lib/compute/bundle/manifest.ts'
import type { Database } from '#lib/platform/db/client.ts'
import type { Address } from '#lib/protocol/entity.ts'

/** A World in its newest version. */
export interface World {
  readonly id: string
  readonly owner: Address
  readonly manifest: WorldManifest
  readonly bundleHash: string
  readonly manifestHash: string
  /** SHA-256 of the picture that its owner captured, 64 lower-case hex digits. */
  readonly captured?: string | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Row that `worldColumns` selects. */
export interface WorldRow {
  readonly id: string
  readonly owner: Address
  readonly manifest: WorldManifest
  readonly bundle_hash: string
  readonly manifest_hash: string
  readonly captured: string | null
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
    ...(row.captured !== null && { captured: row.captured }),
    createdAt: new Date(row.created_ms),
    updatedAt: new Date(row.updated_ms),
  }
}

/** Where a World serves the picture that its owner captured: no bundle can have a file of this name. */
export const CAPTURED_PATH = 'captured:preview.png'

/** The columns of `worlds` that `toWorld` reads, for separate queries. */
export function worldColumns({ sql }: Pick<Database, 'sql'>) {
  return sql`
    id, owner, manifest, bundle_hash, manifest_hash,
    (select f.hash from world_files f where f.world_id = worlds.id and f.path = ${CAPTURED_PATH}) as captured,
    (extract(epoch from created_at) * 1000)::float8 as created_ms,
    (extract(epoch from updated_at) * 1000)::float8 as updated_ms`
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const LENGTH = 20

/** `wld_` and 100 random bits in base32. */
export function newWorldId(): string {
  return `wld_${digits()}`
}

/** Unguessable, and never the id of a World. */
export function newPreviewId(): string {
  return `prv_${digits()}`
}

export function isPreviewId(id: string): boolean {
  return /^prv_[a-z2-7]{20}$/.test(id)
}

function digits(): string {
  return Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

/** Whether a text can be an id. Others may not even be valid text for the database. */
export function isWorldId(id: string): boolean {
  return /^[\w.-]{1,128}$/.test(id) && !isBundleHash(id)
}

/** Whether a text can be the hash of a bundle, which no id of a World is. */
export function isBundleHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}
