import { and, eq, sql } from 'drizzle-orm'
import { worldFiles, worlds } from '../db/schema/index.ts'
import { Failure } from '../domain/failure.ts'
import type { Transaction } from './blob-leases.ts'
import type { CheckedBundle } from './bundle/checked-bundle.ts'
import { searchText } from './search-text.ts'

/** The columns of a World that come from its bundle. */
export function bundleColumns({ manifest, bundleHash, manifestHash }: CheckedBundle) {
  return {
    slug: manifest.slug,
    version: manifest.version,
    bundleHash,
    manifestHash,
    entryPath: manifest.entry,
    surfaces: manifest.surfaces,
    permissions: manifest.permissions,
    manifest,
    searchText: searchText([manifest.name, manifest.slug, manifest.description, manifest.shortDescription]),
  }
}

/** Gives a World that has none its files. */
export async function addFiles(tx: Transaction, worldId: string, bundle: CheckedBundle): Promise<void> {
  await tx
    .insert(worldFiles)
    .values(bundle.files.map(({ path, hash, size }) => ({ worldId, path, hash, size })))
}

/** Locks an active World for the rest of the transaction. */
export async function lockWorld(tx: Transaction, id: string) {
  const [row] = await tx
    .select({
      owner: worlds.owner,
      slug: worlds.slug,
      version: worlds.version,
      bundleHash: worlds.bundleHash,
    })
    .from(worlds)
    .where(and(eq(worlds.id, id), eq(worlds.status, 'active')))
    .for('update')
  return row
}

/** @throws Failure('too_many') when the owner has as many Worlds as one may have. */
export async function checkWorldLimit(tx: Transaction, owner: string, limit: number): Promise<void> {
  // One at a time for each owner, so that the limit holds.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`worlds ${owner}`}, 0))`)
  const rows = await tx
    .select({ id: worlds.id })
    .from(worlds)
    .where(and(eq(worlds.owner, owner), eq(worlds.status, 'active')))
    .limit(limit)
  if (rows.length >= limit) {
    throw new Failure('too_many', `This account has ${limit} Worlds, the most it may have: delete one first`)
  }
}
