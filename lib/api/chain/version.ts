import { z } from 'zod'
import { defineOperation } from '../../http/operation.ts'
import { versionResponse } from './schemas.ts'

/** Version of the chain API, not of this program. */
export const API_VERSION = '0.4.0'

const STARTED = new Date().toISOString()

/** When this program was built; a checkout that runs without a build counts from its start. */
const buildTimestamp = () => isoTimestamp(process.env.BUILD_TIMESTAMP) ?? STARTED

export const getVersion = defineOperation({
  id: 'GET_version',
  api: 'chain',
  method: 'GET',
  path: '/version',
  tag: 'core',
  summary: 'Read the API version',
  description: 'The version of this API and when the server was built.',
  auth: 'none',
  request: {},
  responses: { 200: { description: 'The version', schema: versionResponse } },
  cache: 'no-cache',
  reads: [],
  handler: async () => ({ status: 200, body: { build_timestamp: buildTimestamp(), version: API_VERSION } }),
})

function isoTimestamp(text: string | undefined): string | undefined {
  return z.iso.datetime().safeParse(text).data
}
