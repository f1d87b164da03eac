import fc from 'fast-check'
import { type Hex, keccak256, numberToHex, parseSignature, serializeSignature, stringToHex } from 'viem'
import { sign } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composeMessage } from '#lib/core/identity/issue-challenge.ts'
import { setSuspended } from '#lib/core/people/account-status.ts'
import {
  challengeFor,
  newPerson,
  newWallet,
  signIn,
  verify,
  type Wallet,
} from '#test/server/services/people.ts'
import { SITE, startApi, type TestApi } from '#test/support/api.ts'
import { lower } from '#test/support/lower.ts'

/*
 * Requests that an attacker can send in place of the one thing that signs in: a live challenge, byte for byte, with the
 * signature of its address. Where a message is changed, the wallet itself signs the changed text, which is more than
 * an attacker usually has.
 */

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const MINUTE = 60_000

let api: TestApi
let elsewhere: TestApi

beforeAll(async () => {
  ;[api, elsewhere] = await Promise.all([startApi('services'), startApi('services')])
})
afterAll(() => Promise.all([api?.close(), elsewhere?.close()]))

function nonceOf(message: string) {
  return /Nonce: (\w+)/.exec(message)?.[1] as string
}
function line(name: string) {
  return new RegExp(`\\n${name}: .*`)
}
function later(minutes: number) {
  return new Date(Date.now() + minutes * MINUTE).toISOString()
}

/** Text that is signed in place of the challenge. */
const messages: Readonly<Record<string, (message: string, stranger: Wallet) => string>> = {
  'another address': (m, stranger) => m.replace(/0x\w{40}/, stranger.address),
  'the address in lower case': (m) => m.replace(/0x\w{40}/, (address) => address.toLowerCase()),
  'another domain': (m) => m.replace('localhost:3000 wants', 'evil.example wants'),
  'another URI': (m) => m.replace('URI: http://localhost:3000', 'URI: https://evil.example'),
  'another chain': (m) => m.replace('Chain ID: 31337', 'Chain ID: 1'),
  'another version': (m) => m.replace('Version: 1', 'Version: 2'),
  'an edited statement': (m) => m.replace('costs nothing', 'costs everything'),
  'another nonce': (m) => m.replace(nonceOf(m), 'a'.repeat(32)),
  'two nonces': (m) => m.replace(line('Nonce'), (nonce) => `\nNonce: ${'a'.repeat(32)}${nonce}`),
  'the nonce as request id': (m) => `${m.replace(nonceOf(m), 'a'.repeat(32))}\nRequest ID: ${nonceOf(m)}`,
  'issued in the future': (m) => m.replace(line('Issued At'), `\nIssued At: ${later(60)}`),
  'a later expiration': (m) => m.replace(line('Expiration Time'), `\nExpiration Time: ${later(60)}`),
  'no expiration': (m) => m.replace(line('Expiration Time'), ''),
  'a not-before': (m) => `${m}\nNot Before: ${later(-60)}`,
  'a request id': (m) => `${m}\nRequest ID: 1`,
  resources: (m) => `${m}\nResources:\n- https://evil.example`,
  'lines that end in CRLF': (m) => m.replaceAll('\n', '\r\n'),
  'a line break at the end': (m) => `${m}\n`,
  'a byte order mark': (m) => `\ufeff${m}`,
  'a NUL at the end': (m) => `${m}\u0000`,
  'the message in hex': (m) => stringToHex(m),
  'the message as a JSON string': (m) => JSON.stringify(m),
  nothing: () => '',
  'the login message of the chain API': () => `Login nonce: ${'1'.repeat(39)}`,
  'more than a message ever is': (m) => m + 'a'.repeat(4096),
  'a property of every object': () => '__proto__',
}

/** Signatures other than the wallet's of the exact message. */
const signatures: Readonly<
  Record<string, (good: Hex, message: string, wallet: Wallet) => Promise<string> | string>
> = {
  'by another key': (_good, message) => newWallet().signMessage({ message }),
  'of another challenge of the same address': async (_good, _message, wallet) =>
    wallet.signMessage({ message: await challengeFor(api, wallet.address) }),
  'without the prefix of personal messages': (_good, message, wallet) =>
    wallet.sign({ hash: keccak256(stringToHex(message)) }),
  'of the hex text of the message': (_good, message, wallet) =>
    wallet.signMessage({ message: stringToHex(message) }),
  'compact (EIP-2098)': (good) => {
    const { r, s, yParity } = parseSignature(good)
    return r + numberToHex(BigInt(s) | (BigInt(yParity) << 255n), { size: 32 }).slice(2)
  },
  'with s in its upper half': (good) => {
    const { r, s, yParity } = parseSignature(good)
    const high = numberToHex(CURVE_ORDER - BigInt(s), { size: 32 })
    return serializeSignature({ r, s: high, yParity: 1 - yParity })
  },
  'with the other v': (good) => good.slice(0, -2) + (good.endsWith('1b') ? '1c' : '1b'),
  'with v of another meaning': (good) => `${good.slice(0, -2)}1f`,
  'with v of a chain (EIP-155)': (good) => `${good.slice(0, -2)}25`,
  'with r and s exchanged': (good) => `0x${good.slice(66, 130)}${good.slice(2, 66)}${good.slice(130)}`,
  'with r of zero': (good) => `0x${'0'.repeat(64)}${good.slice(66)}`,
  'with s of zero': (good) => `${good.slice(0, 66)}${'0'.repeat(64)}1b`,
  'with r of the order': (good) => numberToHex(CURVE_ORDER, { size: 32 }) + good.slice(66),
  'of ones': () => `0x${'ff'.repeat(65)}`,
  'of zeros': () => `0x${'00'.repeat(65)}`,
  'with a byte more': (good) => `${good}00`,
  'with a byte less': (good) => good.slice(0, -2),
  'with half a byte less': (good) => good.slice(0, -1),
  twice: (good) => good + good.slice(2),
  'with two prefixes': (good) => `0x${good}`,
  'with a space before': (good) => ` ${good}`,
  'with a line break behind': (good) => `${good}\n`,
  empty: () => '',
  'only a prefix': () => '0x',
  'no hex': () => `0x${'zz'.repeat(65)}`,
  'in base64': (good) => Buffer.from(good.slice(2), 'hex').toString('base64'),
  'longer than any wallet makes': (good) => good + '00'.repeat(4096),
  'of a transaction': async (_good, message) => {
    const key = `0x${'11'.repeat(32)}` as const
    return serializeSignature(await sign({ hash: keccak256(stringToHex(message)), privateKey: key }))
  },
}

async function sessionsOf(...wallets: Wallet[]): Promise<number> {
  const addresses = wallets.map(({ address }) => lower(address))
  return (await api.db.sql`select 1 from sessions where address in ${api.db.sql(addresses)}`).length
}

/** The refused attempt leaves the challenge to its owner. */
async function stillGood(message: string, wallet: Wallet): Promise<void> {
  expect((await verify(api, message, await wallet.signMessage({ message }))).status).toBe(200)
}

describe('a message other than the challenge, signed by the wallet itself', () => {
  test.each(Object.keys(messages))('%s', async (name) => {
    const [wallet, stranger] = [newWallet(), newWallet()]
    const message = await challengeFor(api, wallet.address)
    const changed = messages[name]?.(message, stranger) as string
    expect(changed).not.toBe(message)
    const signer = name === 'another address' ? stranger : wallet
    const answer = await verify(api, changed, await signer.signMessage({ message: changed }))
    expect([400, 401]).toContain(answer.status)
    expect(answer.text).toBe('')
    // Nor with the signature of the requested message.
    const good = await wallet.signMessage({ message })
    expect([400, 401]).toContain((await verify(api, changed, good)).status)
    expect(await sessionsOf(wallet, stranger)).toBe(0)
    await stillGood(message, wallet)
  })
})

describe('a signature other than the wallet’s of the challenge', () => {
  test.each(Object.keys(signatures))('%s', async (name) => {
    const wallet = newWallet()
    const message = await challengeFor(api, wallet.address)
    const good = await wallet.signMessage({ message })
    const bad = (await signatures[name]?.(good, message, wallet)) as string
    const answer = await verify(api, message, bad)
    expect([400, 401]).toContain(answer.status)
    expect(answer.text).toBe('')
    expect(await sessionsOf(wallet)).toBe(0)
    await stillGood(message, wallet)
  })
})

describe('a challenge that is not live', () => {
  async function refused(message: string, wallet: Wallet): Promise<void> {
    const answer = await verify(api, message, await wallet.signMessage({ message }))
    expect([answer.status, answer.text]).toEqual([401, ''])
  }

  test('used, also after logout and after deletion', async () => {
    const wallet = newWallet()
    const message = await challengeFor(api, wallet.address)
    const token = (await verify(api, message, await wallet.signMessage({ message }))).json as string
    await refused(message, wallet)
    await api.send('POST', '/auth/logout', { token })
    await refused(message, wallet)
    const again = await signIn(api, wallet)
    await api.send('DELETE', `/users/${wallet.address}`, { token: again })
    await refused(message, wallet)
    expect(await sessionsOf(wallet)).toBe(0)
  })

  test('never issued: composed by the attacker, and of another server', async () => {
    const wallet = newWallet()
    const composed = composeMessage({
      address: lower(wallet.address),
      chainId: 31_337,
      origin: { origin: SITE, domain: 'localhost:3000' },
      nonce: 'a'.repeat(32),
      issuedAt: new Date(),
      expiresAt: new Date(Date.now() + 5 * MINUTE),
    })
    await refused(composed, wallet)
    await refused(await challengeFor(elsewhere, wallet.address), wallet)
  })

  test('of an account deleted meanwhile', async () => {
    const { wallet, token, address } = await newPerson(api)
    const message = await challengeFor(api, address)
    expect((await api.send('DELETE', `/users/${address}`, { token })).status).toBe(204)
    await refused(message, wallet)
  })

  test('of a suspended user, until the suspension is lifted', async () => {
    const wallet = newWallet()
    await setSuspended(api.services, {
      address: lower(wallet.address),
      suspended: true,
      operator: 'ops',
      reason: 'spam',
    })
    const message = await challengeFor(api, wallet.address)
    await refused(message, wallet)
    expect(await sessionsOf(wallet)).toBe(0)
    await setSuspended(api.services, {
      address: lower(wallet.address),
      suspended: false,
      operator: 'ops',
      reason: 'spam',
    })
    await stillGood(message, wallet)
  })
})

describe('a body other than the request', () => {
  test.each<[string, (message: string, signature: Hex) => string]>([
    ['two messages', (m, s) => `{"message":"x","message":${JSON.stringify(m)},"signature":"${s}"}`],
    ['two signatures', (m, s) => `{"message":${JSON.stringify(m)},"signature":"0x","signature":"${s}"}`],
    ['a field more', (m, s) => JSON.stringify({ message: m, signature: s, address: newWallet().address })],
    ['a list of messages', (m, s) => JSON.stringify({ message: [m], signature: s })],
    [
      'a signature of parts',
      (m, s) =>
        JSON.stringify({ message: m, signature: parseSignature(s) }, (_, v: unknown) =>
          typeof v === 'bigint' ? String(v) : v,
        ),
    ],
    ['null', (m) => JSON.stringify({ message: m, signature: null })],
    ['a prototype', (m, s) => `{"__proto__":{"message":${JSON.stringify(m)},"signature":"${s}"}}`],
    [
      'a lone surrogate',
      (m, s) => `{"message":${JSON.stringify(m).slice(0, -1)}\\ud800","signature":"${s}"}`,
    ],
    ['a list', (m, s) => JSON.stringify([m, s])],
    ['no JSON', (m, s) => `message=${encodeURIComponent(m)}&signature=${s}`],
  ])('400: %s', async (_what, body) => {
    const wallet = newWallet()
    const message = await challengeFor(api, wallet.address)
    const answer = await api.send('POST', '/auth/siwe/verify', {
      body: body(message, await wallet.signMessage({ message })),
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, answer.text]).toEqual([400, ''])
    await stillGood(message, wallet)
  })
})

test('any single edit of a challenge, signed by its wallet, is refused', async () => {
  const wallet = newWallet()
  const message = await challengeFor(api, wallet.address)
  const edit = fc.record({
    at: fc.nat(message.length),
    cut: fc.integer({ min: 0, max: 3 }),
    put: fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('\n', '\r', '\u0000', 'Nonce: ', '\u202e')),
  })
  await fc.assert(
    fc.asyncProperty(edit, async ({ at, cut, put }) => {
      const changed = message.slice(0, at) + put + message.slice(at + cut)
      fc.pre(changed !== message)
      const answer = await verify(api, changed, await wallet.signMessage({ message: changed }))
      expect([400, 401]).toContain(answer.status)
    }),
    { numRuns: 60 },
  )
  await stillGood(message, wallet)
})

test('200 concurrent verifies of one challenge return one token', async () => {
  const wallet = newWallet()
  const message = await challengeFor(api, wallet.address)
  const signature = await wallet.signMessage({ message })
  const answers = await Promise.all(Array.from({ length: 200 }, () => verify(api, message, signature)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(199)
  expect(await sessionsOf(wallet)).toBe(1)
})
