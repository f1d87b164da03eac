import { describe, expect, test } from 'vitest'
import { DEFAULT_MAX_BODY_BYTES, type Operation, requiresIdentity } from '#lib/server/http/operation.ts'
import { studioOperations } from '#lib/server/operations/studio/index.ts'
import type { Sent } from '#test/support/api.ts'
import { counted } from './rates.ts'
import { matrix, reach } from './studio-requests.ts'
import { ownWorkStatuses } from './studio-statuses/own-work.ts'
import { publicationStatuses } from './studio-statuses/publication.ts'
import { account, ada, main, NO_LINK, openStudios, strict } from './studio-statuses/servers.ts'
import { worldStatuses } from './studio-statuses/worlds.ts'

/*
 * Every documented answer of the studio's endpoints is reached here, over a real database and a real chain. The last
 * test fails when one documents an answer that no test above it reached.
 */

openStudios()

/** An address that the path accepts. */
function pathOf({ path }: Operation): string {
  return path
    .replace('{account}', account)
    .replace('{revision}', '1')
    .replace('/{kind}', '/connector')
    .replace(/^(\/shared.*)\{id\}$/, `$1${NO_LINK}`)
    .replaceAll(/\{\w+\}/g, 'any')
}

function named(operations: readonly Operation[]) {
  return operations.map((operation): [string, Operation] => [operation.id, operation])
}

describe.each(named(studioOperations))('%s', (id, operation) => {
  const { method, request, auth } = operation
  const sender = (): Sent => (auth === 'none' ? {} : { token: ada.token })

  test('403 from anywhere but the pages of this site', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' },
      { 'sec-fetch-site': '', origin: 'null' },
    ]) {
      await reach(main, `${id} 403`, method, pathOf(operation), { ...sender(), headers })
    }
  })

  if (requiresIdentity(operation))
    test('401 without a session', async () => {
      await reach(main, `${id} 401`, method, pathOf(operation))
    })

  if (request.body !== undefined)
    test('400, 413 and 415 for bodies that are none', async () => {
      const most = request.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES
      const post = (status: number, body: string, type = 'application/json') =>
        reach(main, `${id} ${status}`, method, pathOf(operation), {
          ...sender(),
          body,
          headers: { 'content-type': type },
        })
      await post(400, '{"a":1,"a":1}')
      await post(413, ' '.repeat(most + 1))
      await post(415, '{}', 'text/plain')
    })

  if (request.file !== undefined)
    test('400, 413 and 415 for files that are none', async () => {
      const post = (status: number, headers: Record<string, string>) =>
        reach(main, `${id} ${status}`, method, pathOf(operation), {
          ...sender(),
          body: new ReadableStream({ start: (controller) => controller.close() }),
          headers,
        })
      await post(400, { 'content-type': 'application/json' })
      const most = request.file?.maxBytes ?? 0
      const form = 'multipart/form-data; boundary=b'
      await post(413, { 'content-type': form, 'content-length': String(most * 2) })
      await post(415, { 'content-type': form, 'content-encoding': 'br' })
    })
})

test.each(counted(studioOperations))('%s: 429 for a client in a hurry', async (id, operation, client) => {
  const again = () =>
    strict.send(operation.method, pathOf(operation), { headers: { 'x-forwarded-for': client } })
  expect((await again()).status).not.toBe(429)
  const sent: Sent = { headers: { 'x-forwarded-for': client } }
  const { headers } = await reach(strict, `${id} 429`, operation.method, pathOf(operation), sent)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

publicationStatuses()
ownWorkStatuses()
worldStatuses()

test('every documented answer was reached, and no other', () => {
  expect(matrix.unmatched()).toEqual({ missing: [], undocumented: [] })
})
