import { expect, test } from 'vitest'
import type { Address } from '#lib/protocol/entity.ts'
import type { SiteSession } from '#lib/ui/wallet/session/requests.ts'
import type { SessionState } from '#lib/ui/wallet/session/store.ts'
import { AccountChanged, GaveUp, runWithChainToken } from '#lib/ui/wallet/with-chain-token.ts'

const A: Address = `0x${'a'.repeat(40)}`
const B: Address = `0x${'b'.repeat(40)}`

/** A server that knows a session and how long its permission lasts, and a page in front of it. */
class Site {
  served: SiteSession | undefined
  shown: SessionState = { status: 'unknown', guess: undefined }
  asked = 0
  /** What the person at the dialog does. */
  person: () => boolean = () => {
    this.served = { ...(this.served ?? sessionOf(A)), chainExpiresAtMs: 5 }
    return true
  }

  readonly parts = {
    session: {
      getState: () => this.shown,
      refresh: async () => this.refresh(),
    },
    ask: async () => {
      this.asked++
      const reached = this.person()
      this.refresh()
      return reached
    },
  }

  refresh(): void {
    this.shown =
      this.served === undefined ? { status: 'visitor' } : { status: 'signed_in', session: this.served }
  }

  /** A request that only an account with permission may send; counts what was done. */
  done: Address[] = []
  readonly action = async () => {
    const allowed = this.served !== undefined && this.served.chainExpiresAtMs !== null
    if (allowed) this.done.push(this.served?.address as Address)
    return { response: new Response(null, { status: allowed ? 201 : 401 }) }
  }
}

function sessionOf(address: Address): SiteSession {
  return { address, roles: [], expiresAtMs: 1, chainExpiresAtMs: null }
}

test('a visitor is prompted once, then the action runs once', async () => {
  const site = new Site()
  const { response } = await runWithChainToken(site.action, site.parts)
  expect(response.status).toBe(201)
  expect(site.done).toEqual([A])
  expect(site.asked).toBe(1)
  await runWithChainToken(site.action, site.parts)
  expect(site.asked).toBe(1)
})

test('a permission that ran out meanwhile is renewed, and the action not lost', async () => {
  const site = new Site()
  await runWithChainToken(site.action, site.parts)
  // The page does not know yet.
  site.served = sessionOf(A)
  const { response } = await runWithChainToken(site.action, site.parts)
  expect(response.status).toBe(201)
  expect(site.done).toEqual([A, A])
  expect(site.asked).toBe(2)
})

test('it is tried twice, not for ever', async () => {
  const site = new Site()
  site.person = () => true
  site.served = sessionOf(A)
  const { response } = await runWithChainToken(site.action, site.parts)
  expect(response.status).toBe(401)
  expect(site.asked).toBe(2)
})

test('giving up does nothing', async () => {
  const site = new Site()
  site.person = () => false
  await expect(runWithChainToken(site.action, site.parts)).rejects.toThrow(GaveUp)
  expect(site.done).toEqual([])
})

test('what one account began, no other finishes', async () => {
  const site = new Site()
  await runWithChainToken(site.action, site.parts)
  site.served = sessionOf(A)
  site.person = () => {
    site.served = { ...sessionOf(B), chainExpiresAtMs: 5 }
    return true
  }
  await expect(runWithChainToken(site.action, site.parts)).rejects.toThrow(AccountChanged)
  expect(site.done).toEqual([A])
})

test('other refusals are the caller’s', async () => {
  const site = new Site()
  await runWithChainToken(site.action, site.parts)
  const { response } = await runWithChainToken(
    async () => ({ response: new Response(null, { status: 409 }) }),
    site.parts,
  )
  expect(response.status).toBe(409)
  expect(site.asked).toBe(1)
})
