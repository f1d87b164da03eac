import { docHref, findDoc } from '#lib/server/docs/catalog.ts'
import { markdownTwin } from '#lib/server/docs/texts.ts'
import { siteRead } from '#lib/views/site-read.ts'

/** Markdown of a page of the documentation; `/docs/….md` leads here by a rewrite, that of the first page as `index`. */
export const { GET } = siteRead(
  {
    path: '/markdown/{slug}',
    contentType: 'text/markdown; charset=utf-8',
    cache: 'public, max-age=300',
    absent: 'There is no such page.',
  },
  async ({ config }, { params: { slug } }) => {
    const page = findDoc(slug === 'index' ? '' : slug)
    if (page === undefined) return undefined
    // Makes search engines index the HTML page instead.
    const headers = { Link: `<${docHref(page)}>; rel="canonical"` }
    return { body: markdownTwin(page, config.siteOrigin), headers }
  },
)

export const dynamic = 'force-dynamic'
