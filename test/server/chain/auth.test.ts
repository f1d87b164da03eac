import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Context } from '#lib/core/context/context.ts'
import { chainLogin } from '#lib/core/identity/chain-login.ts'
import { issueNonce } from '#lib/core/identity/chain-nonce.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { type Answer, messageOf, startApi, type TestApi } from '#test/support/api.ts'

const MINUTE = 60_000

let api: TestApi

beforeAll(async () => {
  api = await startApi('chain')
})
afterAll(() => api.close())

function newAccount() {
  return privateKeyToAccount(generatePrivateKey())
}

async function nonceFor(address: string): Promise<string> {
  const { status, json: body } = await api.send('GET', `/nonce/${address}`)
  expect(status).toBe(200)
  return (body as { nonce: string }).nonce
}

function login(address: string, nonce: string, signature: string): Promise<Answer> {
  return api.send('POST', '/auth', { json: { address, message: `Login nonce: ${nonce}`, signature } })
}

async function signed(account: ReturnType<typeof newAccount>, nonce: string): Promise<Hex> {
  return account.signMessage({ message: `Login nonce: ${nonce}` })
}

async function usedNonces(): Promise<number> {
  const rows = await api.db.sql`select 1 from used_chain_nonces`
  return rows.length
}

describe('GET_nonce', () => {
  test('200: 39 decimal digits as the only key, in any spelling of the address', async () => {
    const account = newAccount()
    const bare = account.address.slice(2)
    for (const spelling of [account.address, bare, bare.toUpperCase(), `0x${bare.toLowerCase()}`]) {
      const { status, json: body } = await api.send('GET', `/nonce/${spelling}`)
      expect(status).toBe(200)
      expect(Object.keys(body as object)).toEqual(['nonce'])
      expect((body as { nonce: string }).nonce).toMatch(/^[0-9]{39}$/)
    }
  })

  test.each([
    'xyz',
    '0x',
    '0x12',
    `0x${'g'.repeat(40)}`,
    `0x${'1'.repeat(41)}`,
    '%00'.repeat(40),
    '%E0%A4%A',
  ])('400: %s', async (address) => {
    const answer = await api.send('GET', `/nonce/${address}`)
    expect(answer.status).toBe(400)
    expect(messageOf(answer)).not.toBe('')
  })

  test('nonces requested by others leave the account’s own one valid', async () => {
    const victim = newAccount()
    const nonce = await nonceFor(victim.address)
    for (let i = 0; i < 12; i++) await nonceFor(victim.address)
    expect((await login(victim.address, nonce, await signed(victim, nonce))).status).toBe(200)
  })
})

describe('POST_auth', () => {
  test('200: a token in the body and the same one in an exposed header', async () => {
    const account = newAccount()
    const nonce = await nonceFor(account.address)
    const { status, json: body, headers } = await login(account.address, nonce, await signed(account, nonce))
    expect(status).toBe(200)
    const token = (body as { access_token: string }).access_token
    expect(Object.keys(body as object)).toEqual(['access_token'])
    expect(headers.get('authorization')).toBe(`Bearer ${token}`)
    expect(headers.get('access-control-expose-headers')).toContain('Authorization')

    const [head, claims] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString())
    expect(JSON.parse(head as string)).toEqual({ alg: 'HS256', typ: 'JWT' })
    const payload = JSON.parse(claims as string)
    expect(payload).toMatchObject({
      iss: 'http://localhost:3000',
      aud: 'http://localhost:3000/chain',
      sub: account.address.slice(2).toLowerCase(),
    })
    expect(payload.exp - payload.iat).toBe(300)
    expect(payload.jti).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('200: signatures without 0x, in upper case, and with v as parity', async () => {
    const account = newAccount()
    const forms: ((signature: Hex) => string)[] = [
      (signature) => signature.slice(2),
      (signature) => signature.slice(2).toUpperCase(),
      (signature) => signature.slice(0, -2) + (signature.endsWith('1b') ? '00' : '01'),
    ]
    for (const form of forms) {
      const nonce = await nonceFor(account.address)
      const answer = await login(account.address.slice(2), nonce, form(await signed(account, nonce)))
      expect(answer.status).toBe(200)
    }
  })

  test('400: of a thousand concurrent attempts with one nonce one gets a token', async () => {
    const account = newAccount()
    const nonce = await nonceFor(account.address)
    const signature = await signed(account, nonce)
    const answers = await Promise.all(
      Array.from({ length: 1000 }, () => login(account.address, nonce, signature)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(999)
  })

  test('400: a used nonce stays used on another site over the same database until it expires', async () => {
    const account = newAccount()
    const nonce = await nonceFor(account.address)
    const input = {
      address: account.address.toLowerCase() as Address,
      message: `Login nonce: ${nonce}`,
      signature: await signed(account, nonce),
    }
    const site = (clock: () => Date) => ({ ...api.services, clock }) as Context
    const at = api.services.clock().getTime()
    expect(await chainLogin(site(api.services.clock), input)).toHaveProperty('accessToken')
    // The sweep of a site whose clock is ahead leaves the row to sites whose clock is behind.
    const other = newAccount()
    const ahead = site(() => new Date(at + 10 * MINUTE + 30_000))
    const otherNonce = issueNonce(ahead, other.address.toLowerCase() as Address)
    await chainLogin(ahead, {
      address: other.address.toLowerCase() as Address,
      message: `Login nonce: ${otherNonce}`,
      signature: await signed(other, otherNonce),
    })
    await expect(
      chainLogin(
        site(() => new Date(at)),
        input,
      ),
    ).rejects.toThrow('Invalid nonce')
  })

  test('rows of used nonces are deleted some time after they expired', async () => {
    await api.db.sql`delete from used_chain_nonces`
    for (let i = 0; i < 3; i++) {
      const account = newAccount()
      const nonce = await nonceFor(account.address)
      await login(account.address, nonce, await signed(account, nonce))
    }
    expect(await usedNonces()).toBe(3)
    api.advance(20 * MINUTE + 1000)
    const account = newAccount()
    const nonce = await nonceFor(account.address)
    expect((await login(account.address, nonce, await signed(account, nonce))).status).toBe(200)
    expect(await usedNonces()).toBe(1)
  })

  test('400: a wrong signature uses up the nonce it names and no other', async () => {
    const account = newAccount()
    const [named, other] = [await nonceFor(account.address), await nonceFor(account.address)]
    const forged = await login(account.address, named, await signed(newAccount(), named))
    expect(forged.status).toBe(400)
    expect(messageOf(forged)).toContain('Invalid signature')
    expect((await login(account.address, named, await signed(account, named))).status).toBe(400)
    expect((await login(account.address, other, await signed(account, other))).status).toBe(200)
  })

  test('400: naming another account’s nonce does not use it up', async () => {
    const [account, thief] = [newAccount(), newAccount()]
    const nonce = await nonceFor(account.address)
    expect((await login(thief.address, nonce, await signed(thief, nonce))).status).toBe(400)
    expect((await login(account.address, nonce, await signed(account, nonce))).status).toBe(200)
  })

  test('400: a nonce expires after ten minutes', async () => {
    const account = newAccount()
    const nonce = await nonceFor(account.address)
    api.advance(10 * 60 * 1000 + 1)
    expect((await login(account.address, nonce, await signed(account, nonce))).status).toBe(400)
  })

  test('400: messages other than the exact one', async () => {
    const account = newAccount()
    const nonce = await nonceFor(account.address)
    for (const message of [
      '',
      nonce,
      'Login nonce: ',
      `login nonce: ${nonce}`,
      `Login nonce:${nonce}`,
      `Login nonce: ${nonce} `,
      `Login nonce: ${nonce}\n`,
      `Login nonce: 0${nonce}`,
      'Login nonce: __proto__',
      'Login nonce: \u0000',
      `x${`Login nonce: ${nonce}`}`,
    ]) {
      const answer = await api.send('POST', '/auth', {
        json: { address: account.address, message, signature: await account.signMessage({ message }) },
      })
      expect(answer.status, JSON.stringify(message)).toBe(400)
    }
    expect((await login(account.address, nonce, await signed(account, nonce))).status).toBe(200)
  })
})

describe('without ORIGINAL_DIALECT', () => {
  test('an origin changes nothing of a nonce, and a nonce in place of a message is a 400', async () => {
    const account = newAccount()
    const { json: body } = await api.send('GET', `/nonce/${account.address}?origin=http://localhost:3000`, {
      headers: { Origin: 'http://localhost:3000' },
    })
    expect(Object.keys(body as object)).toEqual(['nonce'])
    const { nonce } = body as { nonce: string }
    const signature = await signed(account, nonce)
    const answer = await api.send('POST', '/auth', { json: { address: account.address, nonce, signature } })
    expect(answer.status).toBe(400)
    expect((await login(account.address, nonce, signature)).status).toBe(200)
  })
})
