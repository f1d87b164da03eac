import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { byteText } from '#lib/platform/db/schema/columns.ts'
import { users } from '#lib/platform/db/schema/identity.ts'

/** Unpublished work of the studio; only its owner can read it. */
export const workspaces = pgTable(
  'workspaces',
  {
    owner: byteText('owner')
      .notNull()
      .references(() => users.address),
    /** Chosen by the owner's browser, which may be offline when it makes one; means something for this owner only. */
    id: byteText('id').notNull(),
    name: text('name').notNull(),
    /** Number of the newest version. Counts up by one with each save. */
    revision: integer('revision').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
    /** Set while it can still be taken back. */
    deletedAt: timestamp('deleted_at', { withTimezone: true }),
  },
  (t) => [
    primaryKey({ columns: [t.owner, t.id] }),
    index('workspaces_deleted').on(t.deletedAt).where(sql`deleted_at is not null`),
    check('workspaces_revision', sql`revision > 0`),
  ],
)

/** States of a workspace, one after each save. The newest is its present state; older ones are thinned out. */
export const workspaceVersions = pgTable(
  'workspace_versions',
  {
    owner: byteText('owner').notNull(),
    workspaceId: byteText('workspace_id').notNull(),
    revision: integer('revision').notNull(),
    savedAt: timestamp('saved_at', { withTimezone: true }).notNull(),
    /** JSON text. Not `jsonb`, which refuses some strings. */
    document: text('document').notNull(),
    /** JSON text: an `EntryMark` for each entry, so that versions are compared without their documents. */
    marks: text('marks').notNull(),
    /** Bytes of the document and the marks. */
    size: integer('size').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.owner, t.workspaceId, t.revision] }),
    foreignKey({
      name: 'workspace_versions_workspace',
      columns: [t.owner, t.workspaceId],
      foreignColumns: [workspaces.owner, workspaces.id],
    }).onDelete('cascade'),
  ],
)

/** Documents that accounts share by an unguessable address: copies, which no later edit changes. */
export const sharedDrafts = pgTable(
  'shared_drafts',
  {
    /** 128 random bits. */
    id: byteText('id').primaryKey(),
    owner: byteText('owner')
      .notNull()
      .references(() => users.address),
    name: text('name').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** JSON text. Not `jsonb`, which refuses some strings. */
    document: text('document').notNull(),
    /** Bytes of the document. */
    size: integer('size').notNull(),
  },
  (t) => [index('shared_drafts_owner').on(t.owner)],
)
