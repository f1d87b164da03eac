import { z } from 'zod'
import type { Context } from '#lib/core/context/context.ts'
import { builtModule } from '#lib/core/worlds/sdk/built-module.ts'
import { serveFile } from '#lib/core/worlds/serve-file.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { isNamed } from '../../http/etag.ts'
import { defineOperation } from '../../http/operation.ts'

const request = {
  params: z.object({
    id: z.string().meta({ description: 'Id of the World.', example: 'wld_4q2xk7m3p5r6s7t2u3v4' }),
    path: z.string().meta({ description: 'File inside the bundle.', example: 'index.html' }),
  }),
  headers: z.object({
    range: z.string().optional().meta({ description: 'One range of bytes.', example: 'bytes=0-1023' }),
    'if-range': z.string().optional().meta({
      description: 'An ETag: the range applies only while the file has it.',
      example: '"60303ae22b998861bce3b28f33eec1be"',
    }),
    'if-none-match': z.string().optional().meta({ description: 'ETags of cached copies.', example: '*' }),
    'sec-fetch-dest': z.string().optional().meta({
      description: 'The request destination; browsers send it automatically.',
      example: 'iframe',
    }),
    'sec-ch-ua': z.string().optional().meta({
      description: 'Names and versions of the browser; Chromium sends them automatically.',
      example: '"Chromium";v="147"',
    }),
    'sec-ch-ua-platform': z.string().optional().meta({
      description: 'The system of the browser; Chromium sends it automatically.',
      example: '"Linux"',
    }),
  }),
  invalidParams: 'not_found',
} as const

const headers = {
  'Content-Security-Policy': 'Blocks network access of the World.',
  ETag: 'Changes with the content.',
}

const responses = {
  200: { description: 'The file', contentType: '*/*', headers },
  206: {
    description: 'A part of the file',
    contentType: '*/*',
    headers: { ...headers, 'Content-Range': 'Which part.' },
  },
  302: {
    description: 'A browser opens a page of the World as a top-level document (`Sec-Fetch-Dest: document`)',
    headers: { Location: 'The page of the site that shows the World.' },
  },
  304: { description: 'Unchanged', headers },
  416: {
    description: 'The range is outside the file',
    headers: {
      ...headers,
      'Content-Range': 'The size of the file.',
      'X-Error-Code': 'Always `range_not_satisfiable`.',
    },
  },
} as const

const facts = {
  api: 'services',
  path: '/world-assets/{id}/{path}',
  restParam: 'path',
  tag: 'assets',
  description:
    'Files are served with a Content-Security-Policy that blocks network access, and scripts begin with a short prelude that removes WebRTC. Modules of a sandboxed frame may load them: `Access-Control-Allow-Origin` is `*`.',
  auth: 'none',
  errors: 'text',
  failures: { 404: 'Unknown or deleted World, or no such file' },
} as const

type Request = { readonly [K in 'params' | 'headers']: z.output<(typeof request)[K]> }

function fileRequest({ params, headers }: Request) {
  return {
    worldId: params.id,
    path: params.path,
    range: headers.range,
    ifRange: headers['if-range'],
    isStored: (etag: string) => isNamed(headers['if-none-match'], etag),
    destination: headers['sec-fetch-dest'],
    browser: { brands: headers['sec-ch-ua'], platform: headers['sec-ch-ua-platform'] },
  }
}

async function fileReply(ctx: Context, input: Request, read: boolean) {
  const file = await serveFile(ctx, fileRequest(input))
  switch (file.status) {
    case 200:
      return { status: 200, headers: file.headers, body: read ? await file.body() : null } as const
    case 206:
      return { status: 206, headers: file.headers, body: read ? await file.body() : null } as const
    case 416:
      return { status: 416, headers: { ...file.headers, 'X-Error-Code': 'range_not_satisfiable' } } as const
    default:
      return file
  }
}

export const getWorldAsset = defineOperation({
  ...facts,
  id: 'GET_worldAsset',
  summary: 'Load a file of a World',
  request,
  responses,
  handler: (ctx, input) => fileReply(ctx, input, true),
})

export const headWorldAsset = defineOperation({
  ...facts,
  id: 'HEAD_worldAsset',
  summary: 'Read the headers of a file of a World',
  request,
  responses,
  handler: (ctx, input) => fileReply(ctx, input, false),
})

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
