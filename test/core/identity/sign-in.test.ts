import { SiweMessage } from 'siwe'
import { type Hex, hashMessage, keccak256, stringToHex } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { evictChallenges } from '#lib/core/identity/issue-challenge.ts'
import { connections } from '#lib/server/http/connection.ts'
import { challengeFor, newPerson, newWallet, signIn, verify } from '#test/server/services/people.ts'
import { SITE, startApi, type TestApi } from '#test/support/api.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'
import { chainConfig, strandedConfig } from '#test/support/chain-config.ts'

const OTHER = 'https://studio.example'
const HOUR = 3_600_000

let api: TestApi

beforeAll(async () => {
  api = await startApi('services', { allowedOrigins: [SITE, OTHER] })
})
afterAll(() => api?.close())

function ask(json: object, headers: Record<string, string> = { origin: SITE }) {
  return api.send('POST', '/auth/siwe/challenge', { json, headers })
}

function me(token: string) {
  return api.send('GET', '/auth/me', { token })
}

describe('POST_authSiweChallenge', () => {
  test('200: a strict EIP-4361 message, the same to two parsers, and when it ends', async () => {
    const { address } = newWallet()
    const before = Date.now()
    const answer = await ask({ address: address.toLowerCase(), chain_id: 11_155_111 })
    expect(answer.status).toBe(200)
    const { message, expires_at } = answer.json as { message: string; expires_at: string }
    expect(Object.keys(answer.json as object).toSorted()).toEqual(['expires_at', 'message'])
    expect(expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

    const strict = new SiweMessage(message)
    expect(strict.warnings).toEqual([])
    expect(strict).toMatchObject({
      domain: 'localhost:3000',
      address,
      uri: SITE,
      version: '1',
      chainId: 11_155_111,
      expirationTime: expires_at,
    })
    expect(strict.statement).toMatch(/Weft/)
    expect(strict.nonce).toMatch(/^[0-9a-f]{32}$/)
    expect(parseSiweMessage(message)).toMatchObject({
      domain: 'localhost:3000',
      address,
      nonce: strict.nonce,
    })
    const issued = Date.parse(strict.issuedAt as string)
    expect(Date.parse(expires_at) - issued).toBe(5 * 60_000)
    expect(issued).toBeGreaterThanOrEqual(before)
  })

  test('200: domain and URI are those of the page, from the header or else from app_origin', async () => {
    const { address } = newWallet()
    const json = { address, chain_id: 1 }
    const read = async (answer: ReturnType<typeof ask>) =>
      new SiweMessage(((await answer).json as { message: string }).message)
    expect(await read(ask(json, { origin: OTHER }))).toMatchObject({ domain: 'studio.example', uri: OTHER })
    expect(await read(ask({ ...json, app_origin: OTHER }, {}))).toMatchObject({ uri: OTHER })
    expect(await read(ask({ ...json, app_origin: `${OTHER}/` }, {}))).toMatchObject({ uri: OTHER })
    // The browser's `Origin` header counts, whatever the script claims.
    expect(await read(ask({ ...json, app_origin: 'https://evil.example' }))).toMatchObject({ uri: SITE })
  })

  test.each([
    ['no origin at all', undefined],
    ['an empty one', ''],
    ['text', 'weft'],
    ['a path', `${SITE}/studio`],
    ['a query', `${SITE}?a=1`],
    ['a fragment', `${SITE}#a`],
    ['credentials', 'http://a:b@localhost:3000'],
    ['a script', 'javascript:alert(1)'],
    ['two origins', `${SITE} ${OTHER}`],
    ['two lines', `${SITE}\nURI: ${OTHER}`],
  ])('400: %s', async (_what, app_origin) => {
    const answer = await ask({ address: newWallet().address, chain_id: 1, app_origin }, {})
    expect([answer.status, answer.text]).toEqual([400, ''])
  })

  test.each([
    'https://evil.example',
    'https://localhost:3000',
    'http://localhost:3001',
    'http://localhost',
    'http://localhost.evil.example:3000',
    'https://studio.example.evil.example',
    'https://studio.example:444',
    'http://studio.example',
    'null',
    'file://',
  ])('403: %s, by header and by claim', async (origin) => {
    const json = { address: newWallet().address, chain_id: 1 }
    expect((await ask(json, { origin })).status).toBe(403)
    expect((await ask({ ...json, app_origin: origin }, {})).status).toBe(403)
  })

  test.each([
    ['address', { address: '0x12', chain_id: 1 }],
    ['address', { address: '', chain_id: 1 }],
    ['address', { address: null, chain_id: 1 }],
    ['address', { chain_id: 1 }],
    ['chain', { address: newWallet().address }],
    ['chain', { address: newWallet().address, chain_id: 56 }],
    ['chain', { address: newWallet().address, chain_id: 0 }],
    ['chain', { address: newWallet().address, chain_id: -1 }],
    ['chain', { address: newWallet().address, chain_id: 1.5 }],
    ['chain', { address: newWallet().address, chain_id: '1' }],
    ['field', { address: newWallet().address, chain_id: 1, resources: ['https://a.example'] }],
  ])('400: invalid %s: %j', async (_what, json) => {
    expect((await ask(json)).status).toBe(400)
  })

  test('429: a sixth live challenge, also when twenty are requested concurrently', async () => {
    const { address } = newWallet()
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask({ address, chain_id: 1 })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(15)
    const wait = Number(refused[0]?.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(290)
    expect(wait).toBeLessThanOrEqual(300)
    expect(refused[0]?.text).toBe('')
    // Other clients may still request one.
    expect((await ask({ address: newWallet().address, chain_id: 1 })).status).toBe(200)
  })

  test('429 counts the challenges per client address and account', async () => {
    const wallet = newWallet()
    const from = (peer: string | undefined) =>
      connections().run({ remoteAddress: peer }, () => ask({ address: wallet.address, chain_id: 1 }))
    const flood = await Promise.all(Array.from({ length: 8 }, () => from('203.0.113.9')))
    expect(flood.filter(({ status }) => status === 200)).toHaveLength(5)
    // One IPv6 client owns its whole /64.
    const wide = await Promise.all(Array.from({ length: 8 }, (_, i) => from(`2001:db8:1:2::${i + 1}`)))
    expect(wide.filter(({ status }) => status === 200)).toHaveLength(5)

    expect((await from(undefined)).status).toBe(200)
    const own = await from('198.51.100.4')
    expect(own.status).toBe(200)
    const { message } = own.json as { message: string }
    expect((await verify(api, message, await wallet.signMessage({ message }))).status).toBe(200)
  })

  test('a flood over the bound of the table evicts from the clients with the most challenges', async () => {
    await api.db.sql`delete from siwe_challenges`
    const wallet = newWallet()
    const own = await connections().run({ remoteAddress: '198.51.100.5' }, () =>
      challengeFor(api, wallet.address),
    )
    for (let i = 0; i < 60; i++) {
      const peer = `203.0.113.${100 + (i % 3)}`
      await connections().run({ remoteAddress: peer }, () => challengeFor(api, newWallet().address))
    }
    await evictChallenges(api.services, 10)
    const left = await api.db.sql<{ client: string; count: number }[]>`
      select client, count(*)::int from siwe_challenges group by client order by client`
    expect(left.map(({ count }) => count)).toEqual([1, 3, 3, 3])
    expect((await verify(api, own, await wallet.signMessage({ message: own }))).status).toBe(200)
  })

  test('used and expired challenges do not count toward the five, failed signatures do not use one up', async () => {
    const wallet = newWallet()
    for (let i = 0; i < 4; i++) await challengeFor(api, wallet.address)
    for (let i = 0; i < 3; i++) await signIn(api, wallet)
    const message = await challengeFor(api, wallet.address)
    expect((await verify(api, message, await newWallet().signMessage({ message }))).status).toBe(401)
    expect((await ask({ address: wallet.address, chain_id: 1 })).status).toBe(429)
    expect((await verify(api, message, await wallet.signMessage({ message }))).status).toBe(200)
    expect((await ask({ address: wallet.address, chain_id: 1 })).status).toBe(200)
    api.advance(5 * 60_000 + 1)
    for (let i = 0; i < 5; i++) await challengeFor(api, wallet.address)
  })

  test('expired challenges of anybody are cleared when one is issued', async () => {
    const forgotten = newWallet().address
    await challengeFor(api, forgotten)
    api.advance(5 * 60_000)
    await challengeFor(api, newWallet().address)
    const left = await api.db.sql`select 1 from siwe_challenges where address = ${forgotten.toLowerCase()}`
    expect(left).toHaveLength(0)
  })
})

describe('POST_authSiweVerify', () => {
  test('200: the token as a JSON string, good for the services API', async () => {
    const wallet = newWallet()
    const message = await challengeFor(api, wallet.address)
    const answer = await verify(api, message, await wallet.signMessage({ message }))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.text).toMatch(/^"[0-9a-f]{64}\.[0-9a-f]{64}"$/)
    const user = await me(answer.json as string)
    expect(user.json).toMatchObject({
      id: wallet.address,
      display_name: null,
      status: 'active',
      roles: ['user'],
      profile_json: {},
    })
    const { created_at, updated_at, last_login_at } = user.json as Record<string, string>
    expect(new Set([created_at, updated_at, last_login_at]).size).toBe(1)
  })

  test('200: without 0x, in upper case, and with v as parity', async () => {
    const forms: ((signature: Hex) => string)[] = [
      (signature) => signature.slice(2),
      (signature) => `0X${signature.slice(2).toUpperCase()}`,
      (signature) => signature.slice(0, -2) + (signature.endsWith('1b') ? '00' : '01'),
    ]
    for (const form of forms) {
      const wallet = newWallet()
      const message = await challengeFor(api, wallet.address)
      expect((await verify(api, message, form(await wallet.signMessage({ message })))).status).toBe(200)
    }
  })

  test('the record is created once; later sign-ins retain it and store the time', async () => {
    const { wallet, token, address } = await newPerson(api)
    await api.send('PATCH', `/users/${address}`, { token, json: { display_name: 'Ada' } })
    const before = (await me(token)).json as Record<string, string>
    api.advance(1000)
    const after = (await me(await signIn(api, wallet))).json as Record<string, string>
    expect(after).toMatchObject({
      display_name: 'Ada',
      created_at: before.created_at,
      updated_at: before.updated_at,
    })
    expect(Date.parse(after.last_login_at as string)).toBeGreaterThan(
      Date.parse(before.last_login_at as string),
    )
  })

  test('nothing at rest is a token or leads to one', async () => {
    const { token } = await newPerson(api)
    const [selector, secret] = token.split('.') as [string, string]
    const [row] = await api.db.sql`select * from sessions where selector = ${selector}`
    expect(row?.secret_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(row)).not.toContain(secret)
    for (const guess of [`${selector}.${row?.secret_hash}`, `${row?.secret_hash}.${selector}`]) {
      expect((await me(guess)).status).toBe(401)
    }
  })
})

describe('a session', () => {
  test('ends after 24 hours, to the millisecond', async () => {
    const { token } = await newPerson(api)
    api.advance(24 * HOUR - 10_000)
    expect((await me(token)).status).toBe(200)
    api.advance(10_000)
    expect((await me(token)).status).toBe(401)
    // The next sign-in sweeps what is over.
    await newPerson(api)
    const left = await api.db.sql`select 1 from sessions where selector = ${token.split('.')[0] as string}`
    expect(left).toHaveLength(0)
  })

  test('401 with an empty body for anything that is no live token', async () => {
    const { token } = await newPerson(api)
    const [selector, secret] = token.split('.') as [string, string]
    const flipped = secret.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
    const guesses = [
      '',
      'x',
      selector,
      secret,
      `${selector}.`,
      `.${secret}`,
      `${secret}.${selector}`,
      `${selector}.${flipped}`,
      `${selector}${secret}`,
      `${selector}.${secret}.${secret}`,
      `${selector}.${secret}0`,
      `${selector.toUpperCase()}.${secret.toUpperCase()}X`,
      `${selector}.${'0'.repeat(64)}`,
      '__proto__.__proto__',
    ]
    for (const guess of guesses) {
      const answer = await me(guess)
      expect([guess, answer.status, answer.text]).toEqual([guess, 401, ''])
    }
    for (const authorization of [token, `Basic ${token}`, `Bearer ${token}, Bearer ${token}`, 'Bearer']) {
      expect((await api.send('GET', '/auth/me', { headers: { authorization } })).status).toBe(401)
    }
    expect(
      (await api.send('GET', '/auth/me', { headers: { authorization: `bearer  ${token} ` } })).status,
    ).toBe(200)
    expect((await api.send('GET', '/auth/me')).status).toBe(401)
  })
})

describe('a contract wallet (EIP-1271)', () => {
  let chain: TestChain
  let onChain: TestApi

  beforeAll(async () => {
    chain = await testChain()
    onChain = await startApi('services', chainConfig(chain))
  })
  afterAll(async () => {
    await onChain?.close()
    await chain?.close()
  })

  /** Accepts exactly this hash, whatever the signature. */
  const acceptsOnly = (hash: Hex): Hex => `0x7f${hash.slice(2)}60043514631626ba7e0260e01b5f5260205ff3`
  const SIGNATURE = `0x${'ab'.repeat(130)}`

  async function attempt(chainId: number, code: (hash: Hex, message: string) => Hex): Promise<number> {
    const { address } = newWallet()
    const message = await challengeFor(onChain, address, { chainId })
    await chain.rpc('anvil_setCode', [address, code(hashMessage(message), message)])
    return (await verify(onChain, message, SIGNATURE)).status
  }

  test('200: signs in on the chain of this server', async () => {
    expect(await attempt(31_337, acceptsOnly)).toBe(200)
  })

  test.each<[string, (hash: Hex, message: string) => Hex]>([
    ['accepts another hash', () => acceptsOnly(`0x${'0'.repeat(64)}`)],
    ['accepts the message without its prefix', (_, message) => acceptsOnly(keccak256(stringToHex(message)))],
    [
      'accepts the message of the other API',
      () => acceptsOnly(hashMessage(`Login nonce: ${'1'.repeat(39)}`)),
    ],
    [
      'accepts the message of another site',
      (_, message) => acceptsOnly(hashMessage(message.replaceAll('localhost:3000', 'evil.example'))),
    ],
    ['reverts', () => '0x5f5ffd'],
    ['reverts with what a valid signature returns', () => '0x631626ba7e60e01b5f5260205ffd'],
    ['never ends', () => '0x5b5f56'],
    ['calls itself', () => '0x5f5f5f5f5f305af15f5260205ff3'],
    ['is an invalid opcode', () => '0xfe'],
    ['is not there', () => '0x'],
    ['returns nothing', () => '0x00'],
    ['returns zeros', () => '0x60205ff3'],
    ['returns true', () => '0x60015f5260205ff3'],
    ['returns the value at the wrong end', () => '0x631626ba7e5f5260205ff3'],
    ['returns four bytes', () => '0x631626ba7e60e01b5f5260045ff3'],
    ['returns the value of the older interface', () => '0x6320c13b0b60e01b5f5260205ff3'],
    ['returns megabytes that begin like a valid answer', () => '0x631626ba7e60e01b5f526230d4005ff3'],
  ])('401: %s', async (_, code) => {
    expect(await attempt(31_337, code)).toBe(401)
  })

  test('401: what it accepts later does not bring a used challenge back', async () => {
    const { address } = newWallet()
    const message = await challengeFor(onChain, address)
    await chain.rpc('anvil_setCode', [address, acceptsOnly(hashMessage(message))])
    expect((await verify(onChain, message, SIGNATURE)).status).toBe(200)
    await chain.rpc('anvil_setCode', [address, '0x631626ba7e60e01b5f5260205ff3'])
    expect((await verify(onChain, message, SIGNATURE)).status).toBe(401)
    expect((await verify(onChain, message.replace('Version: 1', 'Version: 2'), SIGNATURE)).status).toBe(400)
  })

  test('401: for another chain, whose contract at this address may have another owner', async () => {
    expect(await attempt(1, acceptsOnly)).toBe(401)
  })

  test('401 while the chain is down; keys sign in all the same', async () => {
    const stranded = await startApi('services', strandedConfig(chain))
    try {
      const message = await challengeFor(stranded, newWallet().address)
      expect((await verify(stranded, message, SIGNATURE)).status).toBe(401)
      await newPerson(stranded)
    } finally {
      await stranded.close()
    }
  })
})
