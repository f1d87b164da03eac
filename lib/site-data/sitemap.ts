import type { Context } from '../context.ts'
import { bareHash } from '../domain/hash.ts'
import { listPages } from '../registry/list-pages.ts'
import { listWorlds } from '../worlds/list-worlds.ts'
import { DOC_PAGES, docHref } from './docs/catalog.ts'
import { escapeXml } from './escape-xml.ts'

/** Three times so many, the Worlds and the pages of the site stay below the 50,000 addresses that a sitemap may hold. */
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

/**
 * The addresses of the site for search engines, as the sitemap protocol says.
 *
 * @throws What the database throws when it cannot be read.
 */
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
    ...paths.map((path) => `<url><loc>${escapeXml(ctx.config.siteOrigin + path)}</loc></url>`),
    '</urlset>',
    '',
  ].join('\n')
}
