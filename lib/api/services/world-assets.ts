import { z } from 'zod'
import { defineOperation } from '../../http/operation.ts'
import { serveFile } from '../../worlds/serve-file.ts'

const request = {
  params: z.object({
    id: z.string().meta({ description: 'Id of the World.', example: 'wld_4q2xk7m3p5r6s7t2u3v4' }),
    path: z.string().meta({ description: 'File inside the bundle.', example: 'index.html' }),
  }),
  headers: z.object({
    range: z.string().optional().meta({ description: 'One range of bytes.' }),
    'if-range': z.string().optional(),
    'if-none-match': z.string().optional().meta({ description: 'ETags the client has.' }),
    'sec-fetch-dest': z.string().optional().meta({ description: 'Sent by browsers alone.' }),
  }),
  invalidParams: 'not_found',
} as const

const headers = {
  'Content-Security-Policy': 'Keeps the World from the network.',
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
    description: 'A browser opens a page of the World by itself (`Sec-Fetch-Dest: document`)',
    headers: { Location: 'The page of the site that shows the World.' },
  },
  304: { description: 'Unchanged', headers },
  416: {
    description: 'Nothing of the file lies in the range',
    headers: { ...headers, 'Content-Range': 'The size of the file.' },
  },
} as const

const facts = {
  api: 'services',
  path: '/world-assets/{id}/{path}',
  restParam: 'path',
  tag: 'assets',
  description:
    'Files are served with a Content-Security-Policy that keeps the World from reaching the network, and scripts begin with a short prelude that takes WebRTC away. Modules of a sandboxed frame may load them: `Access-Control-Allow-Origin` is `*`.',
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
    ifNoneMatch: headers['if-none-match'],
    destination: headers['sec-fetch-dest'],
  }
}

export const getWorldAsset = defineOperation({
  ...facts,
  id: 'GET_worldAsset',
  method: 'GET',
  summary: 'Load a file of a World',
  request,
  responses,
  handler: async (ctx, input) => {
    const answer = await serveFile(ctx, fileRequest(input))
    switch (answer.status) {
      case 200:
        return { status: 200, headers: answer.headers, body: await answer.body() }
      case 206:
        return { status: 206, headers: answer.headers, body: await answer.body() }
      default:
        return answer
    }
  },
})

export const headWorldAsset = defineOperation({
  ...facts,
  id: 'HEAD_worldAsset',
  method: 'HEAD',
  summary: 'Look at a file of a World',
  request,
  responses,
  handler: async (ctx, input) => {
    const answer = await serveFile(ctx, fileRequest(input))
    switch (answer.status) {
      case 200:
        return { status: 200, headers: answer.headers, body: null }
      case 206:
        return { status: 206, headers: answer.headers, body: null }
      default:
        return answer
    }
  },
})
