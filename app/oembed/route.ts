import { chainErrors } from '#lib/server/http/errors.ts'
import { oEmbed } from '#lib/views/oembed.ts'
import { siteRead } from '#lib/views/site-read.ts'

/** Any site may read it: it holds nothing that is not on public pages. */
export const { GET } = siteRead(
  {
    path: '/oembed',
    contentType: 'application/json',
    cache: 'public, max-age=600',
    anyOrigin: true,
    absent: 'There is nothing to embed at this address.',
    errors: chainErrors,
  },
  async (ctx, { search }) => {
    if ((search.get('format') ?? 'json') !== 'json')
      return { status: 501, body: JSON.stringify({ message: 'The format is json.' }) }
    const document = await oEmbed(ctx, search)
    return document && JSON.stringify(document)
  },
)

export const dynamic = 'force-dynamic'
