import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { bytea, byteText } from './columns.ts'

/** Every World ever uploaded. A deleted World leaves its row, so that its id is never reused, but no files. */
export const worlds = pgTable(
  'worlds',
  {
    id: byteText('id').primaryKey(),
    slug: byteText('slug').notNull(),
    owner: byteText('owner').notNull(),
    status: text('status').notNull(),
    version: text('version').notNull(),
    bundleHash: byteText('bundle_hash').notNull(),
    manifestHash: byteText('manifest_hash').notNull(),
    entryPath: byteText('entry_path').notNull(),
    surfaces: text('surfaces').array().notNull(),
    permissions: text('permissions').array().notNull(),
    /** The accepted manifest, in the form of `WorldManifest`. */
    manifest: jsonb('manifest').notNull(),
    /** Lower-case text that the gallery's search matches. */
    searchText: text('search_text').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
    /** When an operator hid it: its status is `deleted`, and its files stay. */
    hiddenAt: timestamp('hidden_at', { withTimezone: true }),
  },
  (t) => [
    uniqueIndex('worlds_active_slug').on(t.slug).where(sql`status = 'active'`),
    index('worlds_newest').on(t.updatedAt.desc().nullsFirst(), t.id).where(sql`status = 'active'`),
    // One for each surface: a filter on the list above would read every World of the other surface.
    index('worlds_newest_pages')
      .on(t.updatedAt.desc().nullsFirst(), t.id)
      .where(sql`status = 'active' and surfaces @> '{world-page}'`),
    index('worlds_newest_plugins')
      .on(t.updatedAt.desc().nullsFirst(), t.id)
      .where(sql`status = 'active' and surfaces @> '{studio-plugin}'`),
    index('worlds_created').on(t.createdAt.desc().nullsFirst(), t.id).where(sql`status = 'active'`),
    index('worlds_named')
      .on(sql`(split_part(${t.searchText}, E'\n', 1) collate "C")`, t.id)
      .where(sql`status = 'active'`),
    index('worlds_pictured')
      .on(t.createdAt, t.id)
      .where(sql`status = 'active' and surfaces @> '{world-page}' and manifest ? 'preview'`),
    index('worlds_permissions').using('gin', t.permissions).where(sql`status = 'active'`),
    index('worlds_remixes')
      .on(sql`((${t.manifest} ->> 'remixOf') collate "C")`, t.createdAt.desc().nullsFirst(), t.id)
      .where(sql`status = 'active'`),
    index('worlds_owner').on(t.owner, t.updatedAt.desc().nullsFirst(), t.id).where(sql`status = 'active'`),
    index('worlds_bundle').on(t.bundleHash),
    check('worlds_status', sql`status in ('active', 'deleted')`),
  ],
)

/** Every blob that exists or is being written, whichever driver holds the bytes. */
export const blobs = pgTable('blobs', {
  /** SHA-256 of the bytes, 64 lower-case hex digits; or the key of an upload (`addressed-upload.ts`). */
  hash: byteText('hash').primaryKey(),
  size: integer('size').notNull(),
})

/**
 * Protects a blob that no World refers to yet: an upload in flight. Committed before the bytes, so that a crashed
 * upload can be collected: a blob without files whose leases have all expired is garbage.
 */
export const blobLeases = pgTable(
  'blob_leases',
  {
    leaseId: byteText('lease_id').notNull(),
    hash: byteText('hash')
      .notNull()
      .references(() => blobs.hash),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.leaseId, t.hash] }),
    index('blob_leases_hash').on(t.hash),
    index('blob_leases_expiry').on(t.expiresAt),
  ],
)

/** The files an active World serves, in its newest version. */
export const worldFiles = pgTable(
  'world_files',
  {
    worldId: byteText('world_id')
      .notNull()
      .references(() => worlds.id),
    path: byteText('path').notNull(),
    hash: byteText('hash')
      .notNull()
      .references(() => blobs.hash),
    size: integer('size').notNull(),
  },
  (t) => [primaryKey({ columns: [t.worldId, t.path] }), index('world_files_hash').on(t.hash)],
)

/**
 * Earlier versions of Worlds. Rows stay, so that a bundle hash leads to its World; without a manifest the files are
 * gone.
 */
export const worldVersions = pgTable(
  'world_versions',
  {
    worldId: byteText('world_id')
      .notNull()
      .references(() => worlds.id),
    bundleHash: byteText('bundle_hash').notNull(),
    manifestHash: byteText('manifest_hash').notNull(),
    /** In the form of `WorldManifest`. */
    manifest: jsonb('manifest'),
    replacedAt: timestamp('replaced_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.worldId, t.bundleHash] }),
    index('world_versions_bundle').on(t.bundleHash),
    index('world_versions_replaced').on(t.replacedAt).where(sql`manifest is not null`),
  ],
)

/** The files of earlier versions. */
export const worldVersionFiles = pgTable(
  'world_version_files',
  {
    worldId: byteText('world_id').notNull(),
    bundleHash: byteText('bundle_hash').notNull(),
    path: byteText('path').notNull(),
    hash: byteText('hash')
      .notNull()
      .references(() => blobs.hash),
    size: integer('size').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.worldId, t.bundleHash, t.path] }),
    foreignKey({
      name: 'world_version_files_version_fk',
      columns: [t.worldId, t.bundleHash],
      foreignColumns: [worldVersions.worldId, worldVersions.bundleHash],
    }),
    index('world_version_files_hash').on(t.hash),
  ],
)

/** Bytes that accounts stored on a day, as they are counted together; days that are over are deleted. */
export const storedBytes = pgTable(
  'stored_bytes',
  {
    /** UTC. */
    day: date('day').notNull(),
    /** An account, or the network that fresh ones share. */
    share: byteText('share').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.share] })],
)

/** The bytes themselves, for the driver that stores them in the database: in parts, so that a range is read alone. */
export const blobParts = pgTable(
  'blob_parts',
  {
    hash: byteText('hash').notNull(),
    /** From 0; every part but the last has the same size. */
    part: integer('part').notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (t) => [primaryKey({ columns: [t.hash, t.part] })],
)

/** Bundles previewed before publication, for minutes. Only a lease holds their bytes, which expire with it. */
export const worldPreviews = pgTable(
  'world_previews',
  {
    id: byteText('id').primaryKey(),
    /** Null for visitors. */
    owner: byteText('owner'),
    /** Keyed hash of the network that sent it. */
    network: text('network').notNull().default(''),
    leaseId: byteText('lease_id').notNull(),
    bundleHash: byteText('bundle_hash').notNull(),
    /** The accepted manifest, in the form of `WorldManifest`. */
    manifest: jsonb('manifest').notNull(),
    /** Size of all files. */
    bytes: integer('bytes').notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (t) => [index('world_previews_owner').on(t.owner), index('world_previews_expiry').on(t.expiresAt)],
)

/** The files a preview serves. */
export const worldPreviewFiles = pgTable(
  'world_preview_files',
  {
    previewId: byteText('preview_id')
      .notNull()
      .references(() => worldPreviews.id, { onDelete: 'cascade' }),
    path: byteText('path').notNull(),
    hash: byteText('hash').notNull(),
    size: integer('size').notNull(),
  },
  (t) => [primaryKey({ columns: [t.previewId, t.path] })],
)
