import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { parseSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Config } from '#lib/platform/config.ts'
import { messageOf, SITE, startApi, type TestApi } from '#test/support/api.ts'
import { testConfig } from '#test/support/config.ts'

const MINUTE = 60_000
const OTHER = 'https://app.weft.example'

let api: TestApi

function dialectConfig(enabled: boolean): Partial<Config> {
  const { features } = testConfig()
  return { allowedOrigins: [OTHER], features: { ...features, 'original-dialect': { enabled } } }
}

/** The whole chain API, with the setting on or off. */
function startDialect(enabled: boolean): Promise<TestApi> {
  return startApi('chain', dialectConfig(enabled))
}

beforeAll(async () => {
  api = await startDialect(true)
})
afterAll(() => api.close())

interface Challenge {
  readonly nonce: string
  readonly message: string
}

function newAccount() {
  return privateKeyToAccount(generatePrivateKey())
}

async function challengeFor(
  address: string,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Challenge> {
  const { status, json: body } = await api.send('GET', `/nonce/${address}${query}`, { headers })
  expect(status).toBe(200)
  return body as Challenge
}

function redeem(address: string, nonce: string, signature: string) {
  return api.send('POST', '/auth', { json: { address, nonce, signature } })
}

function logIn(address: string, nonce: string, signature: string) {
  return api.send('POST', '/auth', { json: { address, message: `Login nonce: ${nonce}`, signature } })
}

describe('a nonce for clients of both ages', () => {
  test('200: its message names site, account, chain and expiry, and is redeemed once', async () => {
    const account = newAccount()
    const { nonce, message } = await challengeFor(account.address.toLowerCase())
    // Earlier clients accept digits alone, later ones 66 hexadecimal digits.
    expect(nonce).toMatch(/^[0-9]{66}$/)
    const terms = parseSiweMessage(message)
    expect(terms).toMatchObject({
      scheme: 'http',
      domain: 'localhost:3000',
      address: account.address,
      uri: SITE,
      version: '1',
      chainId: 1,
      nonce,
    })
    expect(Number(terms.expirationTime) - Number(terms.issuedAt)).toBe(5 * MINUTE)
    const signature = await account.signMessage({ message })
    const answers = await Promise.all([1, 2, 3].map(() => redeem(account.address, nonce, signature)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
    expect(answers.find(({ status }) => status === 200)?.json).toHaveProperty('access_token')
  })

  test('200: the plain message of the same nonce, and then it is used for both', async () => {
    const account = newAccount()
    const { nonce, message } = await challengeFor(account.address)
    const plain = await account.signMessage({ message: `Login nonce: ${nonce}` })
    expect((await logIn(account.address, nonce, plain)).status).toBe(200)
    expect((await redeem(account.address, nonce, await account.signMessage({ message }))).status).toBe(400)
    expect((await logIn(account.address, nonce, plain)).status).toBe(400)
  })

  test('the message names the origin of the query, else of the header where it is allowed, else the site', async () => {
    const { address } = newAccount()
    const named = async (query: string, headers: Readonly<Record<string, string>>) => {
      const { domain, uri } = parseSiweMessage((await challengeFor(address, query, headers)).message)
      return { domain, uri }
    }
    const [site, other] = [
      { domain: 'localhost:3000', uri: SITE },
      { domain: 'app.weft.example', uri: OTHER },
    ]
    expect(await named('', {})).toEqual(site)
    expect(await named('', { Origin: OTHER })).toEqual(other)
    expect(await named(`?origin=${SITE}`, { Origin: OTHER })).toEqual(site)
    expect(await named(`?origin=${OTHER}`, {})).toEqual(other)
    for (const Origin of ['https://evil.example', 'null', `${OTHER}.evil.example`, 'x'.repeat(4000)]) {
      expect(await named('', { Origin })).toEqual(site)
    }
    const hostile = {
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
      Referer: 'https://evil.example/',
    }
    expect(await named('', hostile)).toEqual(site)
  })

  test('400: origins of the query that are not allowed', async () => {
    const { address } = newAccount()
    const bad = [
      '',
      'null',
      'https://evil.example',
      `${SITE}/`,
      `${SITE}%0AURI: https://evil.example`,
      `${SITE}&origin=${SITE}`,
      'http://localhost:3000@evil.example',
    ]
    for (const origin of bad) {
      const answer = await api.send('GET', `/nonce/${address}?origin=${origin}`)
      expect(answer.status, origin).toBe(400)
      expect(messageOf(answer)).toContain('origin')
    }
  })

  test('400: no signature of one text is accepted as that of the other, and no other spelling of the nonce', async () => {
    const account = newAccount()
    const { address } = account
    const { nonce, message } = await challengeFor(address)
    const overMessage = await account.signMessage({ message })
    const overPlain = await account.signMessage({ message: `Login nonce: ${nonce}` })
    // These name no nonce that was issued, or are not of one form.
    const attempts = [
      { address, message, signature: overMessage },
      { address, message, nonce, signature: overMessage },
      { address, message: `Login nonce: ${nonce}`, nonce, signature: overPlain },
      { address, signature: overMessage },
      { address, nonce: `0${nonce}`, signature: overMessage },
      { address, nonce: ` ${nonce}`, signature: overMessage },
      { address, nonce: `0x${nonce}`, signature: overMessage },
      { address, nonce: '9'.repeat(66), signature: overMessage },
      { address, nonce: 'f'.repeat(66), signature: overMessage },
      { address, message: `Login nonce: ${'9'.repeat(66)}`, signature: overPlain },
      { address, message: `Login nonce: 0${nonce}`, signature: overPlain },
      { address: newAccount().address, nonce, signature: overMessage },
    ]
    for (const body of attempts) {
      expect((await api.send('POST', '/auth', { json: body })).status, JSON.stringify(body)).toBe(400)
    }
    // Nothing above used it up.
    expect((await redeem(address, nonce, overMessage)).status).toBe(200)
    for (const attempt of [
      ({ nonce }: Challenge, _message: string, plain: string) => redeem(address, nonce, plain),
      ({ nonce }: Challenge, signedMessage: string) => logIn(address, nonce, signedMessage),
    ]) {
      const challenge = await challengeFor(address)
      const overIt = await account.signMessage({ message: challenge.message })
      const plain = await account.signMessage({ message: `Login nonce: ${challenge.nonce}` })
      expect((await attempt(challenge, overIt, plain)).status).toBe(400)
      expect((await redeem(address, challenge.nonce, overIt)).status).toBe(400)
    }
  })

  test('400: a nonce expires after five minutes, in either form', async () => {
    const account = newAccount()
    const { nonce, message } = await challengeFor(account.address)
    api.advance(5 * MINUTE + 1)
    expect((await redeem(account.address, nonce, await account.signMessage({ message }))).status).toBe(400)
    const plain = await account.signMessage({ message: `Login nonce: ${nonce}` })
    expect((await logIn(account.address, nonce, plain)).status).toBe(400)
  })
})

describe('the document', () => {
  interface Drawn {
    readonly components: {
      readonly schemas: Record<string, { readonly required?: string[]; readonly properties: object }>
    }
  }
  async function schemasOf(enabled: boolean) {
    const started = await startDialect(enabled)
    try {
      const { json: body } = await started.send('GET', '/openapi.json')
      return (body as Drawn).components.schemas
    } finally {
      await started.close()
    }
  }
  const NAMES = [
    'NonceResponse',
    'AuthRequest',
    'ExecuteResponse',
    'TransformationInfoResponse',
    'ConditionInfoResponse',
  ] as const
  const requiredOf = (schemas: Drawn['components']['schemas']) =>
    Object.fromEntries(NAMES.map((name) => [name, schemas[name]?.required?.toSorted()]))

  test('has the specification’s objects without the setting, and what is served with it', async () => {
    const off = await schemasOf(false)
    expect(requiredOf(off)).toEqual({
      NonceResponse: ['nonce'],
      AuthRequest: ['address', 'message', 'signature'],
      ExecuteResponse: ['block_hash', 'block_number', 'particles', 'runner'],
      TransformationInfoResponse: ['address', 'args_count', 'name', 'owner'],
      ConditionInfoResponse: ['address', 'args_count', 'name', 'owner'],
    })
    for (const name of NAMES) {
      expect(Object.keys(off[name]?.properties ?? {}).toSorted(), name).toEqual(
        off[name]?.required?.toSorted(),
      )
    }
    const on = await schemasOf(true)
    expect(requiredOf(on)).toEqual({
      NonceResponse: ['message', 'nonce'],
      AuthRequest: ['address', 'signature'],
      ExecuteResponse: ['block_hash', 'block_number', 'particles', 'registry', 'runner'],
      TransformationInfoResponse: ['address', 'args_count', 'name', 'owner', 'runtime_code'],
      ConditionInfoResponse: ['address', 'args_count', 'name', 'owner', 'runtime_code'],
    })
    const shared = Object.keys(off).filter((name) => !(NAMES as readonly string[]).includes(name))
    for (const name of shared) expect(on[name], name).toEqual(off[name])
  })
})

describe('code', () => {
  test('200: runtime_code is null while it is a draft', async () => {
    const account = newAccount()
    const token = await api.token(account.address.toLowerCase() as `0x${string}`)
    const created = await api.send('POST', '/condition', {
      token,
      json: { name: 'reaches', sol_src: 'return args[0] >= args[1];' },
    })
    expect(created.status).toBe(201)
    expect((await api.send('GET', '/condition/reaches')).json).toMatchObject({
      args_count: 2,
      runtime_code: null,
    })
    expect((await api.send('GET', '/condition/nowhere')).status).toBe(404)
    expect((await api.send('GET', '/transformation/1x')).status).toBe(400)
  })
})
