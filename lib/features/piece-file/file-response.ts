import { isNamed } from '#lib/server/http/etag.ts'
import type { PieceFile } from './piece-file.ts'
import { FILE_HEADERS } from './write-file.ts'

/** Seconds: the file changes with the release of this server, and where its World is deleted. */
const MAX_AGE = 600

/** The download of a file, named by its content id. */
export function fileResponse(request: Request, name: string, { bytes, id }: PieceFile): Response {
  const headers = { ETag: `"${id}"`, 'Cache-Control': `public, max-age=${MAX_AGE}` }
  if (isNamed(request.headers.get('if-none-match'), headers.ETag))
    return new Response(null, { status: 304, headers })
  return new Response(bytes, {
    headers: {
      ...headers,
      ...FILE_HEADERS,
      'Content-Length': String(bytes.byteLength),
      'Content-Disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}.html"`,
      // Nothing in it depends on the reader.
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'ETag',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
  })
}
