import { z } from 'zod'
import { Failure } from '../../../protocol/failure.ts'
import { builtModule } from '../../../worlds/sdk/built-module.ts'
import { defineOperation } from '../../http/operation.ts'

export const getSdkModule = defineOperation({
  id: 'GET_sdkModule',
  api: 'services',
  path: '/js/sdk/{file}',
  tag: 'assets',
  summary: 'Load a module of the World SDK',
  description:
    '`world-runtime.js` is what a World imports, as `../../../js/sdk/world-runtime.js` from the top of its bundle; `world-host.js` is what a page that shows Worlds imports. Both are ES modules without imports of their own.',
  auth: 'none',
  request: {
    params: z.object({
      file: z.string().meta({ description: 'Name of the module.', example: 'world-runtime.js' }),
    }),
    headers: z.object({
      'if-none-match': z.string().optional().meta({ description: 'ETags of cached copies.', example: '*' }),
    }),
    invalidParams: 'not_found',
  },
  responses: {
    200: {
      description: 'The module',
      contentType: 'text/javascript',
      headers: { ETag: 'Changes with the content.' },
    },
    304: { description: 'Unchanged', headers: { ETag: 'Changes with the content.' } },
  },
  failures: { 404: 'Any other file name' },
  cache: 'public, no-cache',
  handler: async (_ctx, { params }) => {
    const module = await builtModule(params.file)
    if (module === undefined) throw new Failure('not_found', 'No such module')
    return {
      status: 200,
      headers: {
        ETag: module.etag,
        'Content-Type': 'text/javascript; charset=utf-8',
        // Worlds load it into a frame without an origin.
        'Cross-Origin-Resource-Policy': 'cross-origin',
      },
      body: module.text,
    }
  },
})
