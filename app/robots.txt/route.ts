import { documentRead } from '#lib/views/site-read.ts'

const CLOSED = [
  ...['/account', '/library', '/following', '/notices', '/network/'],
  ...['/session', '/dev/', '/studio/api/', '/search?', '/chain/', '/services/', '/mcp'],
]

/** Pages are indexable; endpoints and pages that depend on the session are not. */
export const { GET } = documentRead('/robots.txt', 'text/plain; charset=utf-8', async ({ config }) =>
  [
    'User-agent: *',
    ...CLOSED.map((path) => `Disallow: ${path}`),
    'Allow: /chain/openapi.json',
    'Allow: /services/openapi.json',
    '',
    `Sitemap: ${config.siteOrigin}/sitemap.xml`,
    '',
  ].join('\n'),
)

export const dynamic = 'force-dynamic'
