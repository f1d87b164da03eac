import { z } from 'zod'
import { downloadBundle } from '#lib/core/worlds/bundle-download.ts'
import { isNamed } from '../../http/etag.ts'
import { defineOperation } from '../../http/operation.ts'

const headers = { ETag: 'The hash.' }

export const getWorldBundle = defineOperation({
  id: 'GET_worldBundle',
  api: 'services',
  path: '/world-bundles/{hash}',
  tag: 'assets',
  summary: 'Download a bundle by its hash',
  description:
    'A ZIP of the files as uploaded, in the order of the listing that the hash is of, without compression: every site ' +
    'with this bundle returns the same bytes. Of Worlds that are active, in their newest version, in those that pieces ' +
    'name, and for a day in those that were replaced.',
  auth: 'none',
  errors: 'text',
  addition: true,
  request: {
    params: z.object({
      hash: z.string().meta({
        description: '`bundleHash` of a World.',
        example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      }),
    }),
    headers: z.object({
      'if-none-match': z.string().optional().meta({ description: 'ETags of cached copies.', example: '*' }),
    }),
    invalidParams: 'not_found',
  },
  responses: {
    200: { description: 'The bundle', contentType: 'application/zip', headers },
    304: { description: 'Unchanged', headers },
  },
  failures: { 404: 'Unknown bundle; with `X-Error-Code: gone`, one of a World that was deleted' },
  example: { response: 'PK\u0003\u0004…' },
  handler: async (ctx, { params: { hash }, headers }) => {
    const { size, open } = await downloadBundle(ctx, hash)
    const described = {
      ETag: `"${hash}"`,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    }
    if (isNamed(headers['if-none-match'], described.ETag)) return { status: 304, headers: described }
    return {
      status: 200,
      headers: {
        ...described,
        'Content-Type': 'application/zip',
        'Content-Length': String(size),
        'Content-Disposition': `attachment; filename="${hash.slice(0, 16)}.zip"`,
      },
      body: open(),
    }
  },
})
