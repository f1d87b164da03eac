import { z } from 'zod'
import { defineOperation } from '../../http/operation.ts'
import { versionResponse } from './response-schemas.ts'

/** Version of the chain API, not of this program. */
export const API_VERSION = '0.4.0'

const STARTED = new Date().toISOString()

let built: string | undefined

/** When this program was built; without a build, when it started. Read late: the server sets the variable. */
function buildTimestamp(): string {
  built ??= z.iso.datetime().safeParse(process.env.BUILD_TIMESTAMP).data ?? STARTED
  return built
}

export const getVersion = defineOperation({
  id: 'GET_version',
  api: 'chain',
  path: '/version',
  tag: 'core',
  summary: 'Read the API version',
  description: 'The version of this API and when the server was built.',
  auth: 'none',
  request: {},
  responses: { 200: { description: 'The version', schema: versionResponse } },
  cache: 'no-cache',
  handler: async () => ({ body: { build_timestamp: buildTimestamp(), version: API_VERSION } }),
})
