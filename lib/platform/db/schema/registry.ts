import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import type { Artifact } from '#lib/protocol/artifact.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'
import { bytea, byteText, kindAndName, place } from './columns.ts'

function kindCheck(name: string) {
  return check(name, sql`kind in ('connector', 'transformation', 'condition')`)
}

/** Content-addressed cache of artifacts. What is published can always be rebuilt from the chain. */
export const artifacts = pgTable(
  'artifacts',
  {
    contentHash: byteText('content_hash').primaryKey(),
    ...kindAndName,
    body: jsonb('body').$type<Artifact>().notNull(),
    /** Leaves of a connector in order, each run of them by the key of a name. `lib/core/entities` reads and writes it. */
    leaves: bytea('leaves'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  () => [kindCheck('artifacts_kind')],
)

/** Names of the connectors that declare leaves, by the key that lists of leaves have for them. */
export const leafNames = pgTable('leaf_names', {
  key: bytea('key').primaryKey(),
  name: byteText('name').notNull(),
})

/** Work in progress of owners. A row stays after publication, so that its owner can revise nothing but lose nothing. */
export const drafts = pgTable(
  'drafts',
  {
    ...kindAndName,
    owner: byteText('owner').notNull(),
    contentHash: byteText('content_hash')
      .notNull()
      .references(() => artifacts.contentHash),
    /** The author's own text, for the author only; null for connectors. */
    source: text('source'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.name] }),
    index('drafts_owner').on(t.owner, t.kind, t.name),
    kindCheck('drafts_kind'),
  ],
)

/**
 * Projection of the registry contract's events: what exists on chain, proven by the code there. Written by the worker
 * only.
 */
export const entities = pgTable(
  'entities',
  {
    ...kindAndName,
    owner: byteText('owner').notNull(),
    address: byteText('address').notNull(),
    contentHash: byteText('content_hash').notNull(),
    metadataHash: byteText('metadata_hash').notNull(),
    /** The author's words, as published; null when there are none, or calldata does not show them. */
    metadata: bytea('metadata'),
    /** Title of a connector, from its words. */
    title: byteText('title'),
    /** The title as search compares it: composed and in lower case. */
    searchTitle: byteText('search_title'),
    /** Words of the description as search compares them, each after a blank. */
    searchWords: byteText('search_words'),
    /** Presentation of a connector, from its words. */
    presentation: jsonb('presentation').$type<Presentation>(),
    /** Null in no row of this release. */
    artifactHash: byteText('artifact_hash').references(() => artifacts.contentHash),
    /** Connectors only. */
    formatHash: byteText('format_hash'),
    blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
    blockHash: byteText('block_hash').notNull(),
    txHash: byteText('tx_hash').notNull(),
    txIndex: integer('tx_index').notNull(),
    logIndex: integer('log_index').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.name] }),
    index('entities_owner').on(t.owner, t.kind, t.name),
    index('entities_owner_newest').on(t.owner, t.blockNumber, t.txIndex, t.logIndex),
    index('entities_owner_kind_newest').on(t.owner, t.kind, t.blockNumber, t.txIndex, t.logIndex),
    index('entities_format').on(t.formatHash, t.name),
    index('entities_block').on(t.blockNumber),
    index('entities_address').on(t.address),
    index('entities_kind_newest').on(t.kind, t.blockNumber, t.txIndex, t.logIndex),
    index('entities_format_newest').on(t.formatHash, t.blockNumber, t.txIndex, t.logIndex),
    index('entities_search').on(sql`lower(${t.name})`),
    index('entities_world_version')
      .on(sql`((presentation -> 'world' ->> 'bundle_hash') collate "C")`)
      .where(sql`presentation is not null`),
    index('entities_title').on(t.searchTitle).where(sql`search_title is not null`),
    kindCheck('entities_kind'),
  ],
)

/**
 * How owners show their pieces on this site, in place of the words that they published: complete, not a difference.
 * Counts while the connector of the name is this one.
 */
export const shownPieces = pgTable(
  'shown_pieces',
  {
    /** Name of the connector. */
    name: byteText('name').primaryKey(),
    owner: byteText('owner').notNull(),
    contentHash: byteText('content_hash').notNull(),
    title: byteText('title'),
    /** Title as search compares it, as in `entities`. */
    searchTitle: byteText('search_title'),
    presentation: jsonb('presentation').$type<Presentation>(),
    changedAt: timestamp('changed_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    index('shown_pieces_owner').on(t.owner),
    index('shown_pieces_world_version')
      .on(sql`((presentation -> 'world' ->> 'bundle_hash') collate "C")`)
      .where(sql`presentation is not null`),
    index('shown_pieces_title').on(t.searchTitle).where(sql`search_title is not null`),
  ],
)

/**
 * Events of the registry that nothing on chain proves, with the reason: an entity without code, with other code than
 * announced, or over such an entity. They are not published, so no other table has them.
 */
export const unverifiedPublications = pgTable(
  'unverified_publications',
  {
    ...kindAndName,
    owner: byteText('owner').notNull(),
    address: byteText('address').notNull(),
    contentHash: byteText('content_hash').notNull(),
    reason: text('reason').notNull(),
    blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
    txHash: byteText('tx_hash').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.name] }),
    index('unverified_publications_block').on(t.blockNumber),
    kindCheck('unverified_publications_kind'),
  ],
)

/** Owners of published entities, each once. */
export const accounts = pgTable(
  'accounts',
  {
    address: byteText('address').primaryKey(),
    published: integer('published').notNull(),
  },
  (t) => [index('accounts_most').on(t.published.desc().nullsFirst(), t.address)],
)

/** Formats of published connectors, each once, with the labels its members share. */
export const formats = pgTable(
  'formats',
  {
    formatHash: byteText('format_hash').primaryKey(),
    /** The first scalars; all of them where `scalarsCount` is null. */
    scalars: jsonb('scalars').$type<string[]>().notNull(),
    /** Null where all are in `scalars`. */
    scalarsCount: integer('scalars_count'),
    connectors: integer('connectors').notNull(),
  },
  (t) => [index('formats_most').on(t.connectors.desc().nullsFirst(), t.formatHash)],
)

/** Names that published connectors use, each once a connector. Written with the entities, by the worker only. */
export const entityReferences = pgTable(
  'entity_references',
  {
    /** Entity that is used. */
    ...kindAndName,
    /** The user: the name of a published connector. */
    connector: byteText('connector').notNull(),
    /** Number of times that the connector names it. */
    uses: integer('uses').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.name, t.connector] }),
    index('entity_references_connector').on(t.connector),
    kindCheck('entity_references_kind'),
  ],
)

/**
 * Counts, so that no request has to count rows. Triggers of the migrations update this and the two tables below in the
 * transaction that changes what they count.
 */
export const networkTotals = pgTable('network_totals', {
  /** A kind of entity, `format` or `account`. */
  counted: text('counted').primaryKey(),
  total: bigint('total', { mode: 'number' }).notNull(),
})

/** Number of entities of each kind that an account has on chain. */
export const ownerTotals = pgTable(
  'owner_totals',
  {
    owner: byteText('owner').notNull(),
    kind: text('kind').notNull(),
    published: integer('published').notNull(),
  },
  (t) => [primaryKey({ columns: [t.owner, t.kind] })],
)

/** Number of published connectors that name an entity; those that none names have no row, or one of 0. */
export const entityUses = pgTable(
  'entity_uses',
  {
    ...kindAndName,
    usedBy: integer('used_by').notNull(),
    /** Hash that the entity has too, so that an index finds the most used ones of a format. */
    formatHash: byteText('format_hash'),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.name] }),
    index('entity_uses_most').on(t.usedBy.desc().nullsFirst(), t.name, t.kind),
    index('entity_uses_kind').on(t.kind, t.usedBy.desc().nullsFirst(), t.name),
    index('entity_uses_format').on(t.formatHash, t.usedBy.desc().nullsFirst(), t.name),
  ],
)

/**
 * Origins of published entities, by the words of their authors, where the chain held exactly that before.
 * Written with the entities, by the worker only.
 */
export const entityOrigins = pgTable(
  'entity_origins',
  {
    ...kindAndName,
    originKind: text('origin_kind').notNull(),
    originName: byteText('origin_name').notNull(),
    /** Place that the entity has too, so that an index finds the newest remixes. */
    ...place,
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.name, t.originKind, t.originName] }),
    index('entity_origins_newest').on(t.originKind, t.originName, t.blockNumber, t.txIndex, t.logIndex),
    kindCheck('entity_origins_kind'),
  ],
)

/** Published sources, and whether they compile to what is published. Rows follow the chain, the state is our own work. */
export const sourceChecks = pgTable(
  'source_checks',
  {
    ...kindAndName,
    owner: byteText('owner').notNull(),
    contentHash: byteText('content_hash').notNull(),
    metadataHash: byteText('metadata_hash').notNull(),
    /** Number of sources that the owner published before: the first ones of all accounts are checked before the second ones. */
    turn: integer('turn').notNull(),
    ...place,
    state: text('state').notNull().default('open'),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.name] }),
    index('source_checks_open').on(t.turn, t.blockNumber, t.txIndex, t.logIndex).where(sql`state = 'open'`),
    index('source_checks_owner').on(t.owner, t.turn),
    kindCheck('source_checks_kind'),
    check('source_checks_state', sql`state in ('open', 'verified', 'different')`),
  ],
)

/**
 * The newest entity of each account, of each kind and of each format: lists that give every account one place read it,
 * however much one account publishes. Triggers keep it, as the counts above.
 */
export const newestOfOwners = pgTable(
  'newest_of_owners',
  {
    /** A kind, or a format hash. */
    scope: byteText('scope').notNull(),
    owner: byteText('owner').notNull(),
    name: byteText('name').notNull(),
    ...place,
  },
  (t) => [
    primaryKey({ columns: [t.scope, t.owner] }),
    index('newest_of_owners_newest').on(t.scope, t.blockNumber, t.txIndex, t.logIndex),
  ],
)

/** Entities that an operator has taken out of lists and search. By name, and through the APIs, they stay readable. */
export const hiddenEntities = pgTable(
  'hidden_entities',
  {
    ...kindAndName,
  },
  (t) => [primaryKey({ columns: [t.kind, t.name] }), kindCheck('hidden_entities_kind')],
)
