import fc from 'fast-check'
import { expect, test } from 'vitest'
import { issueNonce, verifyNonce } from '#lib/core/identity/chain-nonce.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { randomAddress } from '#test/server/chain/projection.ts'
import { testConfig } from '#test/support/config.ts'

const started = 1_800_000_000_000
function at(milliseconds: number, config = testConfig()) {
  return {
    config,
    clock: () => new Date(started + milliseconds),
  }
}

test('is 39 digits that verify for their address until ten minutes have passed', () => {
  const address = randomAddress()
  for (let i = 0; i < 200; i++) {
    const nonce = issueNonce(at(i), address)
    expect(nonce).toMatch(/^\d{39}$/)
    expect(verifyNonce(at(0), address, nonce)?.expiresAt).toEqual(new Date(started + 600_000))
    expect(verifyNonce(at(599_999), address, nonce)).toBeDefined()
    expect(verifyNonce(at(600_000), address, nonce)).toBeUndefined()
    expect(verifyNonce(at(0), randomAddress(), nonce)).toBeUndefined()
  }
})

test('differs each time', () => {
  const address = randomAddress()
  expect(new Set(Array.from({ length: 1_000 }, () => issueNonce(at(0), address))).size).toBe(1_000)
})

test('of another key is refused', () => {
  const address = randomAddress()
  const foreign = testConfig({ chainTokenKey: new Uint8Array(32).fill(9) })
  expect(verifyNonce(at(0), address, issueNonce(at(0, foreign), address))).toBeUndefined()
})

test('is refused with any part changed: digits, bits, the expiry, a second spelling', () => {
  const address: Address = randomAddress()
  const nonce = issueNonce(at(0), address)
  const refused = (text: string) => expect(verifyNonce(at(0), address, text), text).toBeUndefined()
  for (let place = 0; place < 39; place++) {
    const digit = (Number(nonce[place]) + 1) % 10
    refused(nonce.slice(0, place) + digit + nonce.slice(place + 1))
  }
  for (let bit = 0n; bit < 129n; bit++) refused((BigInt(nonce) ^ (1n << bit)).toString().padStart(39, '0'))
  refused(`0${nonce}`)
  refused(nonce.slice(0, -1))
  refused('9'.repeat(39))
  refused('0'.repeat(39))
  const higher = BigInt(nonce) + (1n << 129n)
  if (higher < 10n ** 39n) refused(higher.toString())
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 39n - 1n }), (guess) => {
      refused(guess.toString().padStart(39, '0'))
    }),
    { numRuns: 500 },
  )
})
