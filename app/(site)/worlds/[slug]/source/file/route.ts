import { siteRead } from '#lib/views/site-read.ts'
import { worldSourceFile } from '#lib/views/world-source.ts'

/**
 * One file of a World by `?path=`, as its author edits it. Never anything but bytes to read: no type that a browser
 * runs or draws, nothing for other origins, so that no World can load a script here that lacks the prelude.
 */
const HEADERS = {
  'Content-Disposition': 'attachment',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
}

export const { GET } = siteRead(
  { path: '/worlds/{slug}/source/file', contentType: 'application/octet-stream', cache: 'no-store' },
  async (ctx, { params, search }) => {
    const body = await worldSourceFile(ctx, params.slug, search.get('path') ?? '')
    return body && { body, headers: HEADERS }
  },
)

export const dynamic = 'force-dynamic'
