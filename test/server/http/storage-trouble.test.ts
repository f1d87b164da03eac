import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Services } from '#lib/core/context/context.ts'
import { closeServices, createServices } from '#lib/core/context/services.ts'
import { openSiteCookie } from '#lib/core/identity/site-session.ts'
import { createLog } from '#lib/platform/log/create-log.ts'
import { storageFailure } from '#lib/server/http/errors.ts'
import { createChainDispatcher } from '#lib/server/operations/chain/dispatcher.ts'
import { createServicesDispatcher } from '#lib/server/operations/services/dispatcher.ts'
import { createSessionDispatcher } from '#lib/server/operations/session/dispatcher.ts'
import { testConfig } from '#test/support/config.ts'

const lines: string[] = []
let services: Services
beforeAll(async () => {
  // Nothing listens there.
  const own = await createServices({ ...testConfig(), databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing' })
  services = {
    ...own,
    log: createLog({ level: 'info', secrets: [] }, { write: (line) => void lines.push(line) }),
  }
})
afterAll(() => closeServices(services))

function origin() {
  return services.config.siteOrigin
}

test.each([
  ['GET', '/chain/accounts?limit=5'],
  ['GET', '/services/worlds'],
  ['GET', '/session'],
])('%s %s without a database is 503, and says when to come again', async (method, path) => {
  const options = { services: async () => services }
  const dispatch = path.startsWith('/chain')
    ? createChainDispatcher(options)
    : path.startsWith('/services')
      ? createServicesDispatcher(options)
      : createSessionDispatcher(options)
  const headers = { Origin: origin() }
  lines.length = 0
  if (path === '/session') Object.assign(headers, { Cookie: await signedInCookie() })
  const response = await dispatch(new Request(origin() + path, { method, headers }))
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('1')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('ECONNREFUSED')
  expect(JSON.parse(lines[0] as string)).toMatchObject({ code: 'storage_unavailable', method })
})

/** A cookie that only the database could judge. */
async function signedInCookie(): Promise<string> {
  const headers = new Headers()
  const cookie = await openSiteCookie(services.config, null, headers)
  cookie.token = `${'a'.repeat(64)}.${'b'.repeat(64)}`
  await cookie.save()
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

test('knows an outage by its code, however deep it lies, and nothing else', () => {
  const coded = (code: string) => Object.assign(new Error('of the driver'), { code })
  for (const code of [
    'CONNECTION_CLOSED',
    'QUERY_TIMEOUT',
    'ECONNREFUSED',
    '53100',
    '57P01',
    '57P03',
    '58030',
    '25006',
    '08006',
  ]) {
    expect(storageFailure(new Error('of a query', { cause: coded(code) }))?.code).toBe('storage_unavailable')
  }
  for (const code of ['23505', '42P01', '22P02', '57014', 'ENOENT']) {
    expect(storageFailure(coded(code))).toBeUndefined()
  }
  expect(storageFailure('58030')).toBeUndefined()
})
