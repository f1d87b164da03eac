import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type postgres from 'postgres'
import type { CheckedBundle } from '#lib/compute/bundle/checked-bundle.ts'
import type { WorldManifest } from '#lib/compute/bundle/manifest.ts'
import type { Context } from '#lib/core/context/context.ts'
import type { Orm } from '#lib/platform/db/client.ts'
import { blobLeases, worldVersionFiles, worldVersions } from '#lib/platform/db/schema/index.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { isSlug } from './get-world.ts'
import { CAPTURED_PATH, isBundleHash, toWorld, type World, type WorldRow, worldColumns } from './world.ts'

type Transaction = Pick<Orm, 'execute' | 'insert' | 'delete'>

/** Time for which a replaced version that nothing names is served: pages that show it stay whole, and pieces can name it. */
const UNNAMED_MS = 24 * 60 * 60_000

/** The World of a bundle: in that version, in its newest one, or deleted. */
export type FoundVersion =
  | { readonly found: 'version' | 'newest'; readonly world: World }
  | { readonly found: 'deleted' }

/**
 * The World of a bundle. A deleted World hides its versions at once; where the same bundle is published again, that
 * World is the answer.
 *
 * @param slug The World that is active there is the answer for a bundle that this site never published.
 * @returns undefined for none.
 */
export async function findVersion(
  { db }: Pick<Context, 'db'>,
  bundleHash: string,
  slug = '',
): Promise<FoundVersion | undefined> {
  const bundle = isBundleHash(bundleHash) ? bundleHash : ''
  const named = namedWorlds(db.sql, db.sql`${bundle}::text`, db.sql`${isSlug(slug) ? slug : ''}::text`)
  const [row] = await db.sql<(WorldRow & { active: boolean; version: VersionRow | null })[]>`
    select ${worldColumns(db)}, status = 'active' as active,
      (select jsonb_build_object('manifest', v.manifest, 'manifestHash', v.manifest_hash) from world_versions v
       where v.world_id = worlds.id and v.bundle_hash = ${bundle} and v.manifest is not null) as version
    from worlds join (${named}) named using (id) order by ${namedFirst(db.sql)} limit 1`
  if (row === undefined) return undefined
  if (!row.active) return { found: 'deleted' }
  const world = toWorld(row)
  if (world.bundleHash === bundleHash) return { found: 'version', world }
  if (row.version === null) return { found: 'newest', world }
  return { found: 'version', world: { ...world, bundleHash, ...row.version } }
}

/**
 * Query for the present name of the World that `findVersion` finds for an author's words; null for none.
 *
 * @param words Expression of the presentation.
 */
export function worldNameOf(sql: postgres.ISql, words: Fragment) {
  const named = namedWorlds(sql, sql`${words} #>> '{world,bundle_hash}'`, sql`${words} #>> '{world,slug}'`)
  return sql`
    select case when status = 'active' then manifest ->> 'name' end
    from worlds join (${named}) named using (id) order by ${namedFirst(sql)} limit 1`
}

/** Query for Worlds by a bundle, or by a slug that is only claimed: those come second. */
function namedWorlds(sql: postgres.ISql, hash: Fragment, slug: Fragment) {
  return sql`
    select id, 1 as choice from worlds where bundle_hash = ${hash}
    union all select world_id, 1 from world_versions where bundle_hash = ${hash}
    union all select id, 2 from worlds where status = 'active' and slug = ${slug}`
}

function namedFirst(sql: postgres.ISql) {
  return sql`choice, status = 'active' desc, updated_at desc, id`
}

type Fragment = postgres.PendingQuery<postgres.Row[]>

/** Hashes of the bundles of a World, its newest version first. @param limit Of versions. */
export async function bundlesOf(
  { db }: Pick<Context, 'db'>,
  { id, bundleHash }: Pick<World, 'id' | 'bundleHash'>,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.sql<{ hash: string }[]>`
    select bundle_hash as hash from world_versions where world_id = ${id}
    order by replaced_at desc, bundle_hash limit ${limit - 1}`
  return [bundleHash, ...rows.map(({ hash }) => hash).filter((hash) => hash !== bundleHash)]
}

export function worldDeleted(): Failure {
  return new Failure('gone', 'The World of this bundle was deleted')
}

interface VersionRow {
  readonly manifest: WorldManifest
  readonly manifestHash: string
}

/** Keeps the newest version of a World, whose files it takes, as an earlier one. */
export async function keepVersion(tx: Transaction, now: Date, worldId: string): Promise<void> {
  await tx.execute(sql`
    insert into world_versions (world_id, bundle_hash, manifest_hash, manifest, replaced_at)
    select id, bundle_hash, manifest_hash, manifest, ${now.toISOString()} from worlds where id = ${worldId}
    on conflict (world_id, bundle_hash)
      do update set manifest = excluded.manifest, replaced_at = excluded.replaced_at`)
  await tx.execute(sql`
    with moved as (
      delete from world_files where world_id = ${worldId} and path <> ${CAPTURED_PATH} returning *
    )
    insert into world_version_files (world_id, bundle_hash, path, hash, size)
    select w.id, w.bundle_hash, m.path, m.hash, m.size from moved m join worlds w on w.id = m.world_id`)
}

/** Adds a bundle, whose files are stored, as an earlier version of a World. */
export async function addVersionRows(
  tx: Transaction,
  now: Date,
  worldId: string,
  { manifest, manifestHash, bundleHash, ...bundle }: CheckedBundle,
): Promise<void> {
  await tx
    .insert(worldVersions)
    .values({ worldId, bundleHash, manifestHash, manifest, replacedAt: now })
    .onConflictDoUpdate({
      target: [worldVersions.worldId, worldVersions.bundleHash],
      set: { manifest, replacedAt: now },
    })
  await tx
    .insert(worldVersionFiles)
    .values(
      [...bundle.files, ...bundle.asUploaded].map(({ path, hash, size }) => ({
        worldId,
        bundleHash,
        path,
        hash,
        size,
      })),
    )
    .onConflictDoNothing()
}

/** Removes an earlier version, whose bundle is published as the newest one again. */
export async function forgetVersion(
  tx: Transaction,
  now: Date,
  worldId: string,
  bundleHash: string,
): Promise<void> {
  await dropFiles(tx, now, sql`v.world_id = ${worldId} and v.bundle_hash = ${bundleHash}`)
  await tx
    .delete(worldVersions)
    .where(and(eq(worldVersions.worldId, worldId), eq(worldVersions.bundleHash, bundleHash)))
}

/** Removes the files of all earlier versions of a World; their blobs can then be collected. */
export async function removeVersions(tx: Transaction, now: Date, worldId: string): Promise<void> {
  await dropFiles(tx, now, sql`v.world_id = ${worldId}`)
}

/**
 * Removes the files of earlier versions that are over: nothing names them, and they were replaced long enough ago.
 *
 * @returns how many versions.
 */
export async function collectVersions({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> {
  const now = clock()
  const since = new Date(now.getTime() - UNNAMED_MS).toISOString()
  return db.orm.transaction((tx) => endVersions(tx, now, sql`v.replaced_at <= ${since}`))
}

/**
 * Removes the files of earlier versions that no published connector names, as published or as its owner shows it.
 *
 * @param which Condition on the versions `v`.
 * @returns of how many versions.
 */
export async function endVersions(
  tx: Pick<Transaction, 'execute' | 'insert'>,
  now: Date,
  which: ReturnType<typeof sql>,
): Promise<number> {
  return dropFiles(
    tx,
    now,
    sql`(${which}) and not exists (
      select from entities e
      where e.presentation is not null and ((e.presentation -> 'world' ->> 'bundle_hash') collate "C") = v.bundle_hash
    ) and not exists (
      select from shown_pieces s
      where s.presentation is not null and ((s.presentation -> 'world' ->> 'bundle_hash') collate "C") = v.bundle_hash
    )`,
  )
}

/** @returns of how many versions. */
async function dropFiles(
  tx: Pick<Transaction, 'execute' | 'insert'>,
  now: Date,
  which: ReturnType<typeof sql>,
): Promise<number> {
  const dropped = await tx.execute<{ hashes: readonly string[] }>(sql`
    with ended as (
      update world_versions v set manifest = null where v.manifest is not null and ${which}
      returning v.world_id, v.bundle_hash
    ), files as (
      delete from world_version_files f using ended e
      where f.world_id = e.world_id and f.bundle_hash = e.bundle_hash
      returning f.world_id, f.bundle_hash, f.hash
    )
    select array(select f.hash from files f where f.world_id = e.world_id and f.bundle_hash = e.bundle_hash) as hashes
    from ended e`)
  const hashes = [...new Set(dropped.flatMap((version) => version.hashes))]
  if (hashes.length > 0) {
    const leaseId = randomUUID()
    await tx.insert(blobLeases).values(hashes.map((hash) => ({ leaseId, hash, expiresAt: now })))
  }
  return dropped.length
}
