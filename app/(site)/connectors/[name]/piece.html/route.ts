import { fileHeaders, pieceFile } from '#lib/features/piece-file/index.ts'
import { FILE, siteRead } from '#lib/views/site-read.ts'

/** A piece as one file that plays without any site, also for pages and programs elsewhere. */
export const { GET } = siteRead(
  { ...FILE, path: '/connectors/{name}/piece.html', contentType: 'text/html', anyOrigin: true },
  async (ctx, { params: { name } }) => {
    const { bytes, id } = await pieceFile(ctx, name)
    return { body: bytes, headers: fileHeaders(name, id) }
  },
)
