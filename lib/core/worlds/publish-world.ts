import { and, eq, sql } from 'drizzle-orm'
import type { CheckedBundle } from '#lib/compute/bundle/checked-bundle.ts'
import type { Context } from '#lib/core/context/context.ts'
import { requireSession } from '#lib/core/identity/authorise.ts'
import { noticeWorldRemix } from '#lib/core/people/notices.ts'
import { recordAct } from '#lib/platform/db/audit.ts'
import { worldFiles, worlds } from '#lib/platform/db/schema/index.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { worldNotFound } from './get-world.ts'
import { searchText } from './list-worlds.ts'
import { removeFiles, storeBundle, storedFiles, type Transaction, withBundle } from './store-bundle.ts'
import { isWorldId, newWorldId, type World } from './world.ts'
import { removeVersions } from './world-versions.ts'

/**
 * Publishes a bundle as a new World of the caller. A slug is one active World's at a time; of several uploads with
 * the same, exactly one succeeds.
 *
 * @throws Failure('unauthenticated'), Failure('invalid_request') with everything that is wrong with the bundle,
 *   Failure('conflict') when an active World has the slug, Failure('too_many'), Failure('overloaded'),
 *   Failure('storage_unavailable').
 */
export async function uploadWorld(ctx: Context, zip: Uint8Array): Promise<World> {
  requireSession(ctx)
  return withBundle(ctx, zip, (bundle) => publishBundle(ctx, bundle))
}

/** As `uploadWorld`, of a bundle that was checked. */
export async function publishBundle(ctx: Context, bundle: CheckedBundle): Promise<World> {
  const { address: owner } = requireSession(ctx)
  // Checked again in the transaction; here it avoids storing files in vain.
  const refusal = await publishRefusal(ctx, bundle, owner)
  if (refusal !== undefined) throw refusal
  return storeBundle(ctx, bundle, (tx) => insertWorld(ctx, tx, bundle, owner))
}

async function insertWorld(
  ctx: Context,
  tx: Transaction,
  bundle: CheckedBundle,
  owner: Address,
): Promise<World> {
  await assertWorldQuota(tx, owner, ctx.config.maxWorldsPerOwner)
  const id = newWorldId()
  const now = ctx.clock()
  const inserted = await tx
    .insert(worlds)
    .values({ id, owner, status: 'active', ...bundleColumns(bundle), createdAt: now, updatedAt: now })
    .onConflictDoNothing()
    .returning({ id: worlds.id })
  if (inserted.length === 0) throw slugTaken(bundle.manifest.slug)
  await addFiles(tx, id, bundle)
  const { manifest, bundleHash, manifestHash } = bundle
  if (manifest.remixOf !== undefined) {
    await noticeWorldRemix(tx, { actor: owner, id, remixOf: manifest.remixOf })
  }
  return { id, owner, manifest, bundleHash, manifestHash, createdAt: now, updatedAt: now }
}

/** Reasons why a valid bundle cannot become a new World of `owner`, or of a visitor after signing in. */
export async function publishRefusal(
  ctx: Pick<Context, 'db'>,
  { manifest: { slug }, bundleHash }: Pick<CheckedBundle, 'manifest' | 'bundleHash'>,
  owner: Address | undefined,
): Promise<Failure | undefined> {
  const [row] = await ctx.db.sql<{ owner: Address; bundle_hash: string }[]>`
    select owner, bundle_hash from worlds where slug = ${slug} and status = 'active'`
  if (row === undefined) return undefined
  if (row.owner === owner && row.bundle_hash === bundleHash) {
    return new Failure('conflict', `You have published this bundle already, as the World "${slug}"`)
  }
  return slugTaken(slug)
}

function slugTaken(slug: string): Failure {
  return new Failure('conflict', `A World with the slug "${slug}" exists already: choose another slug`)
}

/**
 * Deletes a World and the files of all its versions; its slug is free again, its id never.
 *
 * @throws Failure('unauthenticated'), Failure('not_found'), Failure('forbidden') for accounts other than the owner.
 */
export async function deleteWorld(ctx: Context, id: string): Promise<void> {
  const { address } = requireSession(ctx)
  if (!isWorldId(id)) throw worldNotFound()
  await ctx.db.orm.transaction(async (tx) => {
    const world = await lockWorld(tx, id)
    if (world === undefined) throw worldNotFound()
    if (world.owner !== address) throw new Failure('forbidden', 'This World belongs to another account')
    const now = ctx.clock()
    await removeFiles(tx, now, id, 'all')
    await removeVersions(tx, now, id)
    await tx.update(worlds).set({ status: 'deleted', updatedAt: now }).where(eq(worlds.id, id))
    await recordAct(tx, { at: now, actor: address, act: 'delete_world', subject: id, reason: world.slug })
  })
}

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

/** Inserts the files of a World that has none. */
export async function addFiles(tx: Transaction, worldId: string, bundle: CheckedBundle): Promise<void> {
  await tx
    .insert(worldFiles)
    .values(storedFiles(bundle).map(({ path, hash, size }) => ({ worldId, path, hash, size })))
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

/** @throws {Failure} `too_many` when the owner has `limit` Worlds. */
async function assertWorldQuota(tx: Transaction, owner: string, limit: number): Promise<void> {
  // One transaction at a time for each owner, so that the quota holds.
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
