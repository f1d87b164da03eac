import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPerson, signIn } from '#test/server/services/people.ts'
import { startApi, type TestApi } from '#test/support/api.ts'

let api: TestApi

beforeAll(async () => {
  api = await startApi('services')
})
afterAll(() => api?.close())

async function run(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/suspend-user.ts', ...args], {
    env: { ...process.env, DATABASE_URL: api.db.url },
  })
  return stdout
}

test('an operator suspends a user of a running server, and lifts it again', async () => {
  const { wallet, address, token } = await newPerson(api)
  const me = (bearer: string) => api.send('GET', '/auth/me', { token: bearer })
  expect(await run(address.toLowerCase())).toContain(`${address} is suspended`)
  expect((await me(token)).status).toBe(401)
  expect(await run(address, '--lift')).toContain(`${address} may sign in again`)
  expect((await me(await signIn(api, wallet))).status).toBe(200)
  await expect(run(address, '--lfit')).rejects.toMatchObject({ code: 1 })
  await expect(run('nobody')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Name an account'),
  })
})
