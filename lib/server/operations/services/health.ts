import { defineOperation } from '../../http/operation.ts'

export const getHealth = defineOperation({
  id: 'GET_health',
  api: 'services',
  method: 'GET',
  path: '/health',
  tag: 'core',
  summary: 'Check that the API answers',
  description: 'Returns `ok` as plain text. `/readyz` of the site reports whether its dependencies work.',
  auth: 'none',
  request: {},
  responses: { 200: { description: 'ok', contentType: 'text/plain' } },
  handler: async () => ({ status: 200, body: 'ok' }),
})
