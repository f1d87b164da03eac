import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueChainToken } from '#lib/core/identity/chain-token.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { requiresIdentity } from '#lib/server/http/operation.ts'
import { servicesDocument } from '#lib/server/operations/services/document.ts'
import { servicesAdditions, servicesOperations } from '#lib/server/operations/services/index.ts'
import { studioOperations } from '#lib/server/operations/studio/index.ts'
import { startApi, type TestApi } from '#test/support/api.ts'
import { UNLIMITED } from '../http/rates.ts'
import { newPerson } from './people.ts'

/* Operations for programs by a bearer token alone: no cookie, no origin. The handlers are the studio's. */

let api: TestApi
let ada: Awaited<ReturnType<typeof newPerson>>
let ben: Awaited<ReturnType<typeof newPerson>>

beforeAll(async () => {
  api = await startApi('services', { rateLimits: UNLIMITED })
  ada = await newPerson(api)
  ben = await newPerson(api)
})
afterAll(() => api?.close())

test('the document marks additions, and nothing else', () => {
  const { paths = {} } = servicesDocument(servicesOperations)
  const marked = Object.values(paths).flatMap((methods) =>
    (Object.values(methods) as { operationId: string; 'x-addition'?: boolean }[]).flatMap((each) =>
      each['x-addition'] ? [each.operationId] : [],
    ),
  )
  expect(marked.toSorted()).toEqual(servicesAdditions.map(({ id }) => id).toSorted())
  expect(servicesOperations.filter(({ addition }) => addition !== true)).toHaveLength(22)
})

describe.each(servicesAdditions.filter(requiresIdentity).map((each) => [each.id, each] as const))(
  '%s',
  (id, operation) => {
    const pathFor = (account: string) => operation.path.replace('{account}', account).replace('{id}', 'none')
    // Enough to reach the check of the account.
    const json = operation.request.body && operation.example?.request
    const sent = { ...(json !== undefined && { json }) }

    test('is what pages of the site have', () => {
      const twin = studioOperations.find((each) => each.id === id)
      expect([twin?.path, twin?.limit]).toEqual([operation.path, operation.limit])
      expect(twin?.request).toEqual(operation.request)
      expect(twin?.responses).toEqual(operation.responses)
      expect(requiresIdentity(operation)).toBe(true)
    })

    test('takes the token of this API, and of its account alone', async () => {
      const path = pathFor(ada.address)
      const chainToken = await issueChainToken(api.services, ada.address.toLowerCase() as Address)
      for (const token of [undefined, 'made-up', chainToken]) {
        const answer = await api.send(operation.method, path, {
          ...sent,
          ...(token !== undefined && { token }),
        })
        expect(answer.operationId).toBe(id)
        // Publication is refused before the token is looked at: this site has no chain.
        if (operation.precheck !== undefined) expect(answer.status).toBe(503)
        else expect([answer.status, answer.text]).toEqual([401, ''])
      }
      if (!operation.path.includes('{account}')) return
      const answer = await api.send(operation.method, path, { ...sent, token: ben.token })
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('another account')])
    })
  },
)

test('a webhook is made, changed, asked and deleted by a token', async () => {
  const { token, address } = ada
  const own = `/webhooks/${address}`
  const call = async (status: number, method: string, path: string, json?: object) => {
    const answer = await api.send(method, path, { token, ...(json && { json }) })
    expect(answer.status, answer.text).toBe(status)
    return answer
  }
  const refused = await call(400, 'POST', own, { name: 'x', url: 'http://127.0.0.1/', filter: {} })
  expect([refused.headers.get('content-type'), refused.text]).toEqual([
    'text/plain; charset=utf-8',
    expect.stringMatching(/./),
  ])
  const made = await call(200, 'POST', own, { name: 'x', url: 'https://hooks.example/a', filter: {} })
  const { webhook, secret } = made.json as { webhook: { id: string }; secret: string }
  expect(made.headers.get('cache-control')).toContain('no-store')
  const one = `${own}/${webhook.id}`
  expect((await call(200, 'GET', own)).json).toMatchObject({
    webhooks: [{ id: webhook.id, state: 'active' }],
  })
  expect((await call(200, 'PATCH', one, { state: 'paused' })).json).toMatchObject({ state: 'paused' })
  expect((await call(200, 'POST', `${one}/secret`)).json).not.toMatchObject({ secret })
  await call(200, 'POST', `${one}/test`)
  await call(200, 'POST', `${one}/replay`, { since_seq: 0 })
  expect((await call(200, 'GET', `${one}/deliveries`)).json).toEqual({ deliveries: [] })
  await call(204, 'DELETE', one)
  expect((await call(404, 'GET', `${one}/deliveries`)).text).toContain('no such webhook')
})

test('publications of a token are listed', async () => {
  expect((await api.send('GET', '/publications', { token: ada.token })).json).toEqual({ publications: [] })
})
