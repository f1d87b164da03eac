import type { Context } from '#lib/core/context/context.ts'
import { listPages } from '#lib/core/entities/published-lists.ts'
import { eventTypeOf } from '#lib/core/feed/items.ts'
import { listFeedItems } from '#lib/core/feed/list-items.ts'
import { listWorlds } from '#lib/core/worlds/list-worlds.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import { bareHash } from '#lib/protocol/hash.ts'
import { escapeMarkup } from '#lib/protocol/markup.ts'
import { DOC_PAGES, docHref } from '#lib/server/docs/catalog.ts'

const ENTRIES = 50

/**
 * The newest publications as an Atom document (RFC 4287). Reorged entries are removed; mined again, they have the same
 * id.
 *
 * @throws What the database throws when it cannot be read.
 */
export async function atomFeed(ctx: Context, kind: EntityKind | undefined): Promise<string> {
  const { items } = await listFeedItems(ctx, { limit: ENTRIES, type: kind && eventTypeOf(kind) })
  const { siteOrigin: origin, site } = ctx.config
  return atomDocument({
    origin,
    self: `${origin}/feed.xml${kind === undefined ? '' : `?kind=${kind}`}`,
    title: `${site.name}${kind === undefined ? '' : `: ${kind}s`}`,
    subtitle: 'What is published on the network, the newest first.',
    page: `${origin}/feed`,
    entries: items.map((item) => ({
      id: `urn:weft:${item.feedId}`,
      title: `${item.name}, ${item.kind}`,
      page: `${origin}/${item.kind}s/${encodeURIComponent(item.name)}`,
      author: item.owner,
      atMs: item.createdAtMs,
      category: item.kind,
      summary: `The ${item.kind} ${item.name} was published in block ${item.blockNumber} by ${item.owner}.`,
    })),
  })
}

/** An entry of an Atom document; plain text throughout. */
export interface AtomEntry {
  readonly id: string
  readonly title: string
  /** Address of its page. */
  readonly page: string
  readonly author: string
  /** Unix milliseconds. */
  readonly atMs: number
  readonly category?: string
  readonly summary: string
}

/** An Atom document (RFC 4287) of entries, the newest first. */
export function atomDocument(feed: {
  readonly origin: string
  readonly self: string
  readonly title: string
  readonly subtitle: string
  readonly page: string
  readonly entries: readonly AtomEntry[]
}): string {
  const updated = new Date(feed.entries[0]?.atMs ?? 0).toISOString()
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  <title>${escapeMarkup(feed.title)}</title>`,
    `  <subtitle>${escapeMarkup(feed.subtitle)}</subtitle>`,
    `  <id>${escapeMarkup(feed.self)}</id>`,
    `  <link rel="self" type="application/atom+xml" href="${escapeMarkup(feed.self)}"/>`,
    `  <link rel="alternate" type="text/html" href="${escapeMarkup(feed.page)}"/>`,
    `  <updated>${updated}</updated>`,
    ...feed.entries.map((each) => entry(each, feed.origin)),
    '</feed>',
    '',
  ].join('\n')
}

function entry({ id, title, page, author, atMs, category, summary }: AtomEntry, origin: string): string {
  const at = new Date(atMs).toISOString()
  return [
    '  <entry>',
    `    <title>${escapeMarkup(title)}</title>`,
    `    <id>${escapeMarkup(id)}</id>`,
    `    <link rel="alternate" type="text/html" href="${escapeMarkup(page)}"/>`,
    `    <author><name>${escapeMarkup(author)}</name><uri>${escapeMarkup(`${origin}/users/${author}`)}</uri></author>`,
    `    <published>${at}</published>`,
    `    <updated>${at}</updated>`,
    ...(category === undefined ? [] : [`    <category term="${escapeMarkup(category)}"/>`]),
    `    <summary>${escapeMarkup(summary)}</summary>`,
    '  </entry>',
  ].join('\n')
}

/** Number of addresses of each kind: all together stay below a sitemap's limit of 50,000 addresses. */
const OF_EACH = 16_000
const WORLDS = 1000

const PAGES = [
  ...[
    '/',
    '/worlds',
    '/worlds/upload',
    '/studio',
    '/discover',
    '/feed',
    '/search',
    '/docs/lessons',
    '/docs/api',
    '/status',
  ],
  ...DOC_PAGES.map(docHref),
]

/** The sitemap of the site. @throws What the database throws when it cannot be read. */
export async function sitemap(ctx: Context): Promise<string> {
  const [{ entities, formats, accounts }, worlds] = await Promise.all([
    listPages(ctx, { limit: OF_EACH }),
    listWorlds(ctx, { page: 0, limit: WORLDS }),
  ])
  const paths = [
    ...PAGES,
    ...entities.map(({ kind, name }) => `/${kind}s/${encodeURIComponent(name)}`),
    ...formats.map((hash) => `/formats/${bareHash(hash)}`),
    ...accounts.map((address) => `/users/${address}`),
    ...worlds.map(({ manifest }) => `/worlds/${encodeURIComponent(manifest.slug)}`),
  ]
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...paths.map((path) => `<url><loc>${escapeMarkup(ctx.config.siteOrigin + path)}</loc></url>`),
    '</urlset>',
    '',
  ].join('\n')
}
