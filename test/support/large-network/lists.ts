import type { Context } from '#lib/core/context/context.ts'
import { findAuthorWords } from '#lib/core/entities/author-words.ts'
import { connectorsFor } from '#lib/core/entities/connectors-for.ts'
import { earliestConnectors, firstConnectors } from '#lib/core/entities/first-connectors.ts'
import { firstShown } from '#lib/core/entities/first-shown.ts'
import { getAccount } from '#lib/core/entities/get-account.ts'
import { getEntity } from '#lib/core/entities/get-entity.ts'
import { getFormat } from '#lib/core/entities/get-format.ts'
import { listAccounts, listFormats } from '#lib/core/entities/list-keys.ts'
import { loadDependencies } from '#lib/core/entities/load-dependencies.ts'
import { listPublications } from '#lib/core/entities/publication/records.ts'
import {
  activeAccounts,
  mostUsedEntities,
  newestEntities,
  popularFormats,
  publishedCounts,
} from '#lib/core/entities/published-lists.ts'
import { related, usedBy } from '#lib/core/entities/relations.ts'
import { findRemixes } from '#lib/core/entities/remixes.ts'
import { listFeedItems, parsePageCursor } from '#lib/core/feed/list-items.ts'
import { readOutbox } from '#lib/core/feed/outbox-reader.ts'
import { listSessions } from '#lib/core/identity/sessions.ts'
import { checkNextSource } from '#lib/core/indexer/source-checks.ts'
import { followStanding, listFollowers, listFollowing } from '#lib/core/people/follows.ts'
import { countNewNotices, listNotices } from '#lib/core/people/notices.ts'
import { listUsers, usersNamed } from '#lib/core/people/users.ts'
import { getWorld } from '#lib/core/worlds/get-world.ts'
import {
  type BrowseQuery,
  browseWorlds,
  firstWorlds,
  listWorlds,
  worldFormats,
} from '#lib/core/worlds/list-worlds.ts'
import { findWorldFile } from '#lib/core/worlds/serve-file.ts'
import { findWorldRemixes } from '#lib/core/worlds/world-remixes.ts'
import { bundlesOf, findVersion } from '#lib/core/worlds/world-versions.ts'
import { listApplications } from '#lib/features/agents/agent-grants.ts'
import { neighbourhood } from '#lib/features/neighbourhood/index.ts'
import { readWall } from '#lib/features/pieces/wall.ts'
import { search } from '#lib/features/search/search.ts'
import { collectNextNotices } from '#lib/features/social/collect-notices.ts'
import { followedFeed } from '#lib/features/social/followed-feed.ts'
import { countsOf, marksOn, savedPieces } from '#lib/features/social/marks.ts'
import { countPlay } from '#lib/features/social/plays.ts'
import { openReports } from '#lib/features/social/reports.ts'
import { listDeliveries, listEndpoints } from '#lib/features/webhooks/endpoints.ts'
import { claim } from '#lib/features/webhooks/lease.ts'
import { listSharedDrafts } from '#lib/features/workspaces/shared-drafts.ts'
import { listVersions } from '#lib/features/workspaces/versions.ts'
import { listWorkspaces } from '#lib/features/workspaces/workspaces.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { define } from '../definitions.ts'
import type { Marks } from './marks.ts'
import { accountOf, worldHash } from './network.ts'

/** A read of a list, by a page or an API. */
export interface ListRead {
  readonly name: string
  /** Operations of the APIs that do this, by id; none for what only pages show. */
  readonly serves: readonly string[]
  readonly read: (ctx: Context, marks: Marks) => Promise<unknown>
  /** The rows it may read where more than a few pages are intended, with the reason. */
  readonly looksAt?: { readonly rows: number; readonly because: string }
}

const LIMIT = 20
/** Deep enough that reading the skipped rows exceeds the limit. */
const DEEP_PAGE = 40

export const LOOKED_AT_FOR_FIRST = {
  rows: 3_000,
  because: 'the newest connectors of the accounts that published last, and what they use, are looked through',
}

const start = { connector: '', transformation: '', condition: '' }
const gallery: BrowseQuery = {
  search: '',
  surface: undefined,
  format: undefined,
  permission: undefined,
  order: 'changed',
  after: undefined,
  limit: LIMIT,
}

/** Every list and every search there is, at its beginning and in its depth, where the network is heaviest. */
export const LIST_READS: readonly ListRead[] = [
  {
    name: 'entity',
    serves: ['GET_connector'],
    read: (ctx, { connector }) => getEntity(ctx, 'connector', connector),
    looksAt: { rows: 5, because: 'it is found by its key' },
  },
  {
    name: 'parts of a definition',
    serves: [],
    read: (ctx, { connector, used }) =>
      loadDependencies(
        ctx,
        define({
          name: 'x',
          dimensions: [{ composite: connector }, { transformations: [{ name: used.name }] }],
        }),
      ),
    looksAt: { rows: 10, because: 'each is found by its key' },
  },
  list('neighbourhood of an entity', [], (ctx, { used }) => neighbourhood(ctx, used)),
  list('accounts', ['GET_accounts'], (ctx) => listAccounts(ctx, { limit: LIMIT, after: undefined })),
  list('accounts, deep', ['GET_accounts'], (ctx, { account }) =>
    listAccounts(ctx, { limit: LIMIT, after: account }),
  ),
  list('account', ['GET_accountInfo'], (ctx, { owner }) =>
    getAccount(ctx, { address: owner, limit: LIMIT, after: start }),
  ),
  list('account, deep', ['GET_accountInfo'], (ctx, { owner, connector }) =>
    getAccount(ctx, { address: owner, limit: LIMIT, after: { ...start, connector } }),
  ),
  list('formats', ['GET_formats'], (ctx) => listFormats(ctx, { limit: LIMIT, after: undefined })),
  list('formats, deep', ['GET_formats'], (ctx, { middleFormat }) =>
    listFormats(ctx, { limit: LIMIT, after: middleFormat }),
  ),
  list('format', ['GET_format'], (ctx, { format }) =>
    getFormat(ctx, { formatHash: format, limit: LIMIT, after: '' }),
  ),
  list('format, deep', ['GET_format'], (ctx, { format, connector }) =>
    getFormat(ctx, { formatHash: format, limit: LIMIT, after: connector }),
  ),

  list('feed', ['GET_feed'], (ctx) => listFeedItems(ctx, { limit: LIMIT })),
  list('feed, deep', ['GET_feed'], (ctx, { place }) =>
    listFeedItems(ctx, { limit: LIMIT, before: { place } }),
  ),
  list('feed after withdrawals', ['GET_feed'], (ctx, { place }) =>
    listFeedItems(ctx, { limit: LIMIT, before: parsePageCursor(`${place}~46000~1:condition_added:x`) }),
  ),
  list('feed of what is final', ['GET_feed'], (ctx) =>
    listFeedItems(ctx, { limit: LIMIT, status: 'finalized' }),
  ),
  list('feed of a kind, deep', ['GET_feed'], (ctx, { place }) =>
    listFeedItems(ctx, { limit: LIMIT, type: 'condition_added', before: { place } }),
  ),
  list('feed of what is withdrawn', [], (ctx) => listFeedItems(ctx, { limit: LIMIT, status: 'removed' })),
  list('feed of what is new', [], (ctx) => listFeedItems(ctx, { limit: LIMIT, status: 'observed' })),
  list('feed of an account', [], (ctx, { owner }) => listFeedItems(ctx, { limit: LIMIT, owner })),
  list('feed of an account, deep', [], (ctx, { owner, place }) =>
    listFeedItems(ctx, { limit: LIMIT, owner, before: { place } }),
  ),
  list('feed of a format, deep', ['GET_feed'], (ctx, { format, place }) =>
    listFeedItems(ctx, { limit: LIMIT, format, before: { place } }),
  ),
  list('feed of a name', ['GET_feed'], (ctx, { connector }) =>
    listFeedItems(ctx, { limit: LIMIT, name: connector }),
  ),
  list('stream, from the middle', ['GET_feedStream'], (ctx, { entities }) =>
    readOutbox(ctx.db.sql, Math.floor(entities / 2), LIMIT),
  ),

  list('users', ['GET_users'], (ctx) => listUsers(ctx, { page: 0, limit: LIMIT })),
  counted('users, deep', ['GET_users'], (ctx) => listUsers(ctx, { page: DEEP_PAGE, limit: LIMIT })),
  list('users of a name', [], (ctx) => usersNamed(ctx, { name: 'Ada', limit: LIMIT })),
  list('followers', ['GET_socialFollowers'], (ctx) =>
    listFollowers(ctx, { address: accountOf(0), page: 0, limit: LIMIT }),
  ),
  counted('followers, deep', ['GET_socialFollowers'], (ctx) =>
    listFollowers(ctx, { address: accountOf(0), page: DEEP_PAGE, limit: LIMIT }),
  ),
  list('following', ['GET_socialFollowing'], (ctx) =>
    listFollowing(ctx, { address: accountOf(1), page: 0, limit: LIMIT }),
  ),
  {
    name: 'counts of a profile',
    serves: [],
    read: (ctx) => followStanding(ctx, { address: accountOf(0), viewer: accountOf(1) }),
    looksAt: { rows: 1_050, because: 'followers are counted up to 1,000' },
  },

  {
    name: 'World',
    serves: ['GET_world'],
    read: (ctx, { world }) => getWorld(ctx, world.id),
    looksAt: { rows: 1, because: 'it is found by its key' },
  },
  {
    name: 'file of a World',
    serves: ['GET_worldAsset'],
    read: (ctx, { world }) => findWorldFile(ctx, world.id, 'index.html'),
    looksAt: { rows: 1, because: 'it is found by its key' },
  },
  {
    name: 'file of a version of a World',
    serves: ['GET_worldAsset', 'GET_worldBundle'],
    read: (ctx, { world }) => findWorldFile(ctx, world.bundleHash, 'index.html'),
    looksAt: { rows: 3, because: 'it is found by its keys' },
  },
  {
    name: 'version of a World',
    serves: [],
    read: (ctx, { world }) => findVersion(ctx, world.bundleHash),
    looksAt: { rows: 3, because: 'it is found by its keys' },
  },
  list('Worlds', ['GET_worlds'], (ctx) => listWorlds(ctx, { page: 0, limit: LIMIT })),
  counted('Worlds, deep', ['GET_worlds'], (ctx) => listWorlds(ctx, { page: DEEP_PAGE / 4, limit: LIMIT })),
  list('Worlds of a surface', ['GET_worlds'], (ctx) =>
    listWorlds(ctx, { page: 0, limit: LIMIT, surface: 'studio-plugin' }),
  ),
  list('Worlds by a rare word', ['GET_worlds'], (ctx, { world }) =>
    listWorlds(ctx, { page: 0, limit: LIMIT, search: world.name }),
  ),
  list('Worlds of an account', [], (ctx) => listWorlds(ctx, { page: 0, limit: LIMIT, owner: accountOf(0) })),
  list('gallery', [], (ctx) => browseWorlds(ctx, gallery)),
  list('gallery, deep', [], (ctx, { world }) =>
    browseWorlds(ctx, { ...gallery, after: { key: world.microseconds, id: world.id, skip: LIMIT } }),
  ),
  list('gallery by age', [], (ctx) => browseWorlds(ctx, { ...gallery, order: 'new' })),
  list('gallery by name, deep', [], (ctx, { world }) =>
    browseWorlds(ctx, { ...gallery, order: 'name', after: { key: world.name, id: world.id } }),
  ),
  list('gallery by a rare word', [], (ctx, { world }) =>
    browseWorlds(ctx, { ...gallery, search: world.name }),
  ),
  {
    name: 'gallery of a format',
    serves: [],
    read: (ctx, { worldFormat }) => browseWorlds(ctx, { ...gallery, format: worldFormat }),
    looksAt: { rows: 2_000, because: 'the Worlds of one format are put in order' },
  },
  list('gallery of a permission', [], (ctx) =>
    browseWorlds(ctx, { ...gallery, permission: 'browser.downloads' }),
  ),
  {
    name: 'formats of the gallery',
    serves: [],
    read: (ctx) => worldFormats(ctx, { limit: 6 }),
    looksAt: { rows: 2_500, because: 'the 1,000 Worlds changed last are looked through' },
  },
  list('Worlds of the first page', [], (ctx) => firstWorlds(ctx, { limit: 5, featured: ['harp'] })),
  list('Worlds made from the first, and what those became', [], async (ctx) =>
    findWorldRemixes(ctx, await getWorld(ctx, `wld_${'0'.repeat(20)}`)),
  ),
  list('reports', [], (ctx) => openReports(ctx)),

  {
    ...list('connectors shown first, with their sizes', [], (ctx) => firstConnectors(ctx)),
    looksAt: LOOKED_AT_FOR_FIRST,
  },
  list('connectors published first', [], (ctx) => earliestConnectors(ctx)),
  {
    ...list('shown first', ['GET_firstShown'], (ctx, { connector }) =>
      firstShown(
        { ...ctx, config: { ...ctx.config, featured: { connectors: [connector], worlds: [] } } },
        { kind: 'connector', limit: 24 },
      ),
    ),
    looksAt: LOOKED_AT_FOR_FIRST,
  },
  {
    // The generated network is of the first hours of 1970: in its week every voter votes.
    ...list('shown first in a busy week', [], (ctx) =>
      firstShown({ ...ctx, clock: () => new Date(86_400_000) }, { kind: 'transformation', limit: 24 }),
    ),
    looksAt: LOOKED_AT_FOR_FIRST,
  },
  wall('wall', {}),
  wall('wall, deep', { after: { turn: 3, block: 400, tx: 0, log: 0 } }),
  wall('wall, behind all turns', { after: { turn: 10, block: 400, tx: 0, log: 0 } }),
  wall('wall of a World in eight versions', { bundles: Array.from({ length: 8 }, worldHash) }, 8),
  wall('wall of remixes', { remixed: true }),
  wall('wall of remixes with a World', { remixed: true, bundles: [worldHash(0, 1)] }),
  wall('wall of a time', { sinceMs: 4_000_000 }),
  wall('wall of one account with a World', { owner: accountOf(0), bundles: [worldHash(0, 1)] }),
  wall('wall of followed accounts', { follower: accountOf(0) }, 100),
  wall('wall of followed accounts with a World in eight versions', {
    follower: accountOf(0),
    bundles: Array.from({ length: 8 }, worldHash),
  }),
  list('bundles of a World', [], (ctx, { world }) => bundlesOf(ctx, world, 8)),
  list('newest', [], (ctx) => newestEntities(ctx, { kind: 'connector', limit: LIMIT })),
  list('newest of a rare kind', [], (ctx) => newestEntities(ctx, { kind: 'condition', limit: LIMIT })),
  list('newest of a format', [], (ctx, { format }) =>
    newestEntities(ctx, { kind: 'connector', formatHash: format, limit: LIMIT }),
  ),
  counted('newest, deep', [], (ctx) =>
    newestEntities(ctx, { kind: 'connector', limit: LIMIT, offset: DEEP_PAGE * LIMIT }),
  ),
  list('most used', [], (ctx) => mostUsedEntities(ctx, { limit: LIMIT })),
  list('most used of a kind', [], (ctx) => mostUsedEntities(ctx, { kind: 'transformation', limit: LIMIT })),
  list('most used of a format', [], (ctx, { format }) =>
    mostUsedEntities(ctx, { kind: 'connector', formatHash: format, limit: LIMIT }),
  ),
  list('popular formats', [], (ctx) => popularFormats(ctx, { limit: LIMIT })),
  list('active accounts', [], (ctx) => activeAccounts(ctx, { limit: LIMIT })),
  list('published by an account', [], (ctx, { owner }) => publishedCounts(ctx, { address: owner })),
  list('remixes of an entity, and what it was made from', [], async (ctx) => {
    const [row] = await ctx.db.sql<{ name: string }[]>`
      select origin_name as name from entity_origins limit 1`
    return findRemixes(ctx, { kind: 'connector', name: row?.name ?? '' })
  }),
  list('words of an author', [], (ctx, { connector }) => findAuthorWords(ctx, 'connector', connector)),
  list('the next source to check', [], (ctx) =>
    checkNextSource(ctx.db.sql, {
      inspect: async () => ({ status: 'refused', reason: '' }),
      compile: () => Promise.reject(new Error('not asked for')),
      start: () => {},
      close: async () => {},
    }),
  ),
  list('users of an entity', [], (ctx, { used }) => usedBy(ctx, { ...used, limit: LIMIT, after: '' })),
  list('users of an entity, deep', [], (ctx, { used, connector }) =>
    usedBy(ctx, { ...used, limit: LIMIT, after: connector }),
  ),
  list('what is near an entity', [], (ctx, { owner, format, connector }) =>
    related(ctx, { kind: 'connector', name: connector, owner, formatHash: format, limit: 6 }),
  ),
  {
    name: 'connectors for a World',
    serves: [],
    read: (ctx, { format, connector }) =>
      connectorsFor(ctx, { names: [connector], formatHashes: [format], carrying: [connector] }, LIMIT),
    looksAt: { rows: 3_500, because: 'the labels of the 1,000 most used formats are looked through' },
  },

  list('publications of an account', ['GET_publications'], (ctx, { owner }) => listPublications(ctx, owner)),
  list('workspaces', ['GET_workspaces'], (ctx) => listWorkspaces(signedIn(ctx), accountOf(0))),
  list('versions of a workspace', ['GET_workspaceVersions'], (ctx) =>
    listVersions(signedIn(ctx), { account: accountOf(0), id: 'a' }),
  ),
  list('links of an account', ['GET_sharedDrafts'], (ctx) => listSharedDrafts(signedIn(ctx), accountOf(0))),
  list('what followed accounts and formats published', [], (ctx) =>
    followedFeed(ctx, { account: accountOf(0), limit: LIMIT, before: undefined }),
  ),
  list('notices of an account', [], (ctx) => listNotices(ctx, { account: accountOf(0), limit: LIMIT })),
  list('new notices of an account', [], (ctx) => countNewNotices(ctx, accountOf(0))),
  {
    name: 'the next notices to write',
    serves: [],
    read: async (ctx) => {
      await ctx.db.sql`delete from notice_position`
      await ctx.db.sql`insert into notice_position (id, stream_seq) values (1, 0)`
      return collectNextNotices(ctx.db)
    },
    looksAt: {
      rows: 100_000,
      because:
        '500 publications are read at a time, and of each account that they concern at most 250 notices',
    },
  },
  list('counts of a page of pieces', [], (ctx, { connector }) =>
    countsOf(ctx, [{ kind: 'connector', name: connector }]),
  ),
  list('a play', [], (ctx, { connector }) =>
    countPlay({ ...ctx, client: 'x' }, { kind: 'connector', name: connector }),
  ),
  list('marks on a piece', ['GET_marks'], (ctx) =>
    marksOn(signedIn(ctx), { kind: 'connector', name: 'any' }),
  ),
  list('library of an account', ['GET_saved'], (ctx) =>
    savedPieces(ctx, { account: accountOf(0), limit: LIMIT }),
  ),
  list('webhooks of an account', ['GET_webhooks'], (ctx) => listEndpoints(signedIn(ctx), accountOf(0))),
  list('deliveries of a webhook', ['GET_webhookDeliveries'], (ctx) =>
    listDeliveries(signedIn(ctx), { account: accountOf(0), id: 'hook0' }),
  ),
  list('webhooks that are due', [], (ctx) =>
    claim(ctx.db.sql, { token: 'none', free: LIMIT, freeOfSlow: LIMIT, freeOfTests: LIMIT }),
  ),
  list('applications of an account', [], (ctx) => listApplications(signedIn(ctx), accountOf(0))),
  list('sessions of an account', [], (ctx) => listSessions(signedIn(ctx))),

  found('search, a whole name', (marks) => marks.connector),
  found('search, a common word', () => 'Amber'),
  found('search, a rare part', (marks) => marks.connector.slice(3, 12)),
  found('search, a word of every description', () => 'tresillo'),
  found('search, words of one description', (marks) => `tresillo ${marks.connector.replaceAll('_', ' ')}`),
  found('search, two letters', () => 'am'),
  found('search, a misspelled name', (marks) => misspelled(marks.connector)),
  found('search, an address', (marks) => marks.owner),
  found('search, the beginning of a hash', (marks) => marks.middleFormat.slice(0, 12)),
  found('search, nothing like it', () => 'zzqxjv kkwpq'),
]

function list(name: string, serves: readonly string[], read: ListRead['read']): ListRead {
  return { name, serves, read }
}

/** Lists whose pages are counted read what they leave out. */
function counted(name: string, serves: readonly string[], read: ListRead['read']): ListRead {
  return {
    ...list(name, serves, read),
    looksAt: {
      rows: 3 * (DEEP_PAGE + 1) * LIMIT,
      because: 'its pages are counted, and what comes before is walked',
    },
  }
}

/** @param lists That are read a page of: of each of eleven turns. */
function wall(name: string, query: Partial<Parameters<typeof readWall>[1]>, lists = 1): ListRead {
  return {
    ...list(name, [], (ctx) => readWall(ctx, { ...query, limit: LIMIT })),
    looksAt: { rows: 11 * (LIMIT + 1) * lists, because: 'a page of each turn is read, by an index' },
  }
}

function found(name: string, text: (marks: Marks) => string): ListRead {
  return {
    ...list(name, [], (ctx, marks) => search(ctx, { text: text(marks) })),
    looksAt: {
      rows: 30_000,
      because: 'names that are alike are compared letter by letter, for 400 ms at most',
    },
  }
}

/** Two letters change places. */
function misspelled(name: string): string {
  return `${name.slice(0, 2)}${name[3]}${name[2]}${name.slice(4)}`
}

function signedIn(ctx: Context): Context {
  const address: Address = accountOf(0)
  return { ...ctx, caller: address, session: { id: 'bench', address, roles: ['user'] } }
}
