import { siteRead } from '#lib/views/site-read.ts'

/** A short address of a World fed by a connector. */
export const { GET } = siteRead(
  { path: '/worlds/{slug}/{connector}', contentType: 'text/plain', cache: 'no-store' },
  async (_ctx, { params: { slug, connector } }) => {
    const query = new URLSearchParams({ connector })
    return { status: 307, headers: { Location: `/worlds/${encodeURIComponent(slug)}?${query}` } }
  },
)

export const dynamic = 'force-dynamic'
