import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { issueChainToken, verifyChainToken } from '#lib/core/identity/chain-token.ts'
import { bareAddress } from '#lib/protocol/address.ts'
import { randomAddress } from '#test/server/chain/projection.ts'
import { testConfig } from '#test/support/config.ts'

const started = Date.now()
const services = { config: testConfig(), clock: () => new Date(started) }

describe('the token', () => {
  test('verifies for its account until five minutes have passed', async () => {
    const address = randomAddress()
    const token = await issueChainToken(services, address)
    expect(await verifyChainToken(services, token)).toBe(address)
    const later = (seconds: number) => ({
      config: services.config,
      clock: () => new Date(services.clock().getTime() + seconds * 1000),
    })
    expect(await verifyChainToken(later(298), token)).toBe(address)
    expect(await verifyChainToken(later(301), token)).toBeUndefined()
    expect(await verifyChainToken(later(-120), token)).toBeUndefined()
  })

  test('is refused after any tampering', async () => {
    const address = randomAddress()
    const key = services.config.chainTokenKey
    const now = Math.floor(services.clock().getTime() / 1000)
    const claims = {
      iss: 'http://localhost:3000',
      aud: 'http://localhost:3000/chain',
      sub: bareAddress(address),
      iat: now,
      exp: now + 300,
      jti: 'x',
    }
    const sign = (payload: Record<string, unknown>, header: { alg: string; typ?: string }, secret = key) =>
      new SignJWT(payload).setProtectedHeader(header).sign(secret)
    const good = { alg: 'HS256', typ: 'JWT' }
    expect(await verifyChainToken(services, await sign(claims, good))).toBe(address)

    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const [head, body, mac] = (await sign(claims, good)).split('.') as [string, string, string]
    const without = (name: string) =>
      Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name))
    const forged = {
      'no algorithm': `${part({ alg: 'none', typ: 'JWT' })}.${body}.`,
      'no algorithm, signature kept': `${part({ alg: 'none', typ: 'JWT' })}.${body}.${mac}`,
      'another algorithm': await sign(claims, { alg: 'HS512', typ: 'JWT' }, new Uint8Array(64).fill(1)),
      'the right key with another algorithm': await sign(
        claims,
        { alg: 'HS384', typ: 'JWT' },
        new Uint8Array([...key, ...key]),
      ),
      'another key': await sign(claims, good, new Uint8Array(32).fill(7)),
      'another type': await sign(claims, { alg: 'HS256', typ: 'at+jwt' }),
      'another issuer': await sign({ ...claims, iss: 'http://evil' }, good),
      'the services audience': await sign({ ...claims, aud: 'http://localhost:3000/services' }, good),
      expired: await sign({ ...claims, iat: now - 600, exp: now - 300 }, good),
      'too old although it says otherwise': await sign({ ...claims, iat: now - 400, exp: now + 9999 }, good),
      'no subject': await sign(without('sub'), good),
      'a subject that is no address': await sign({ ...claims, sub: 'admin' }, good),
      'no expiry': await sign(without('exp'), good),
      'no id': await sign(without('jti'), good),
      'a changed payload': `${head}.${part({ ...claims, sub: '0'.repeat(40) })}.${mac}`,
      'a cut signature': `${head}.${body}.${mac.slice(0, -3)}`,
      'no signature': `${head}.${body}`,
      'a session token of the services': `${'a'.repeat(64)}.${'b'.repeat(64)}`,
      nothing: '',
      noise: '\u0000.\u0000.\u0000',
    }
    for (const [what, token] of Object.entries(forged)) {
      expect(await verifyChainToken(services, token), what).toBeUndefined()
    }
  })
})
