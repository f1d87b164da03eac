import type { Context } from '../../../lib/context.ts'
import type { Address } from '../../../lib/domain/entity.ts'
import { listFeedItems } from '../../../lib/feed/list-items.ts'
import { readOutbox } from '../../../lib/feed/read-outbox.ts'
import { listSessions } from '../../../lib/identity/list-sessions.ts'
import { listPublications } from '../../../lib/publication/list-publications.ts'
import { activeAccounts } from '../../../lib/registry/active-accounts.ts'
import { connectorsFor } from '../../../lib/registry/connectors-for.ts'
import { getAccount } from '../../../lib/registry/get-account.ts'
import { getEntity } from '../../../lib/registry/get-entity.ts'
import { getFormat } from '../../../lib/registry/get-format.ts'
import { listAccounts } from '../../../lib/registry/list-accounts.ts'
import { listFormats } from '../../../lib/registry/list-formats.ts'
import { mostUsedEntities } from '../../../lib/registry/most-used-entities.ts'
import { networkOverview } from '../../../lib/registry/network-overview.ts'
import { newestEntities } from '../../../lib/registry/newest-entities.ts'
import { popularFormats } from '../../../lib/registry/popular-formats.ts'
import { publishedCounts } from '../../../lib/registry/published-counts.ts'
import { related } from '../../../lib/registry/related.ts'
import { usedBy } from '../../../lib/registry/used-by.ts'
import { search } from '../../../lib/search/search.ts'
import { followStanding } from '../../../lib/social/follow-standing.ts'
import { listFollowers, listFollowing } from '../../../lib/social/list-follows.ts'
import { listUsers } from '../../../lib/social/list-users.ts'
import { listVersions } from '../../../lib/workspaces/list-versions.ts'
import { listWorkspaces } from '../../../lib/workspaces/list-workspaces.ts'
import { type BrowseQuery, browseWorlds } from '../../../lib/worlds/browse-worlds.ts'
import { firstWorlds } from '../../../lib/worlds/first-worlds.ts'
import { listWorlds } from '../../../lib/worlds/list-worlds.ts'
import { openReports } from '../../../lib/worlds/open-reports.ts'
import { worldFormats } from '../../../lib/worlds/world-formats.ts'
import type { Marks } from './marks.ts'
import { accountOf } from './network.ts'
import type { ReadContext } from './plans.ts'

/** A read of a list as people and programs do it, in a network of any size. */
export interface ListRead {
  readonly name: string
  /** Operations of the APIs that do this, by id; none for what only pages show. */
  readonly serves: readonly string[]
  readonly read: (ctx: Context, marks: Marks) => Promise<unknown>
  /** Rows it may look at, where more than a few pages' worth are meant to be: with the reason. */
  readonly looksAt?: { readonly rows: number; readonly because: string }
}

const LIMIT = 20
/** Deep enough that a read that walks there is seen, and not so deep that a page number cannot say it. */
const DEEP_PAGE = 40

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
  },
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
  list('feed of a kind, deep', ['GET_feed'], (ctx, { place }) =>
    listFeedItems(ctx, { limit: LIMIT, type: 'condition_added', before: { place } }),
  ),
  list('feed of what is withdrawn', [], (ctx) => listFeedItems(ctx, { limit: LIMIT, status: 'removed' })),
  list('feed of what is new', [], (ctx) => listFeedItems(ctx, { limit: LIMIT, status: 'observed' })),
  list('feed of an account', [], (ctx, { owner }) => listFeedItems(ctx, { limit: LIMIT, owner })),
  list('feed of an account, deep', [], (ctx, { owner, place }) =>
    listFeedItems(ctx, { limit: LIMIT, owner, before: { place } }),
  ),
  list('stream, from the middle', ['GET_feedStream'], (ctx, { entities }) =>
    readOutbox(ctx.db.sql, Math.floor(entities / 2), LIMIT),
  ),

  list('users', ['GET_users'], (ctx) => listUsers(ctx, { page: 0, limit: LIMIT })),
  counted('users, deep', ['GET_users'], (ctx) => listUsers(ctx, { page: DEEP_PAGE, limit: LIMIT })),
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
    browseWorlds(ctx, { ...gallery, after: { key: world.microseconds, id: world.id } }),
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
  list('Worlds of the first page', [], (ctx) => firstWorlds(ctx, { limit: 5 })),
  list('reports', [], (ctx) => openReports(ctx)),

  list('overview of the network', [], (ctx) => networkOverview(ctx)),
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
  list('sessions of an account', [], (ctx) => listSessions(signedIn(ctx))),

  found('search, a whole name', (marks) => marks.connector),
  found('search, a common word', () => 'Amber'),
  found('search, a rare part', (marks) => marks.connector.slice(3, 12)),
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

/** As reads see it that ask for more than they use. */
export function contextOf(ctx: ReadContext): Context {
  return ctx as Context
}
