import { expect, test } from 'vitest'
import type { Address } from '#lib/protocol/entity.ts'
import type { SiteSession } from '#lib/ui/wallet/session/requests.ts'
import type { SessionState } from '#lib/ui/wallet/session/store.ts'
import { AccountChanged, GaveUp, runWithSignIn } from '#lib/ui/wallet/with-sign-in.ts'

const A: Address = `0x${'a'.repeat(40)}`
const B: Address = `0x${'b'.repeat(40)}`

/** A server that knows a session, and a page in front of it. */
class Site {
  served: SiteSession | undefined
  shown: SessionState = { status: 'unknown', guess: undefined }
  prompts = 0
  /** Acts at the dialog; returns whether it was signed in. */
  atDialog: () => boolean = () => {
    this.served = sessionOf(A)
    return true
  }

  readonly parts = {
    session: {
      getState: () => this.shown,
      refresh: async () => this.refresh(),
    },
    ask: async () => {
      this.prompts++
      const reached = this.atDialog()
      this.refresh()
      return reached
    },
  }

  refresh(): void {
    this.shown =
      this.served === undefined ? { status: 'visitor' } : { status: 'signed_in', session: this.served }
  }

  /** A request that only an account may send; counts what was done. */
  done: Address[] = []
  readonly action = async () => {
    if (this.served !== undefined) this.done.push(this.served.address)
    return { response: new Response(null, { status: this.served === undefined ? 401 : 201 }) }
  }
}

function sessionOf(address: Address): SiteSession {
  return { address, roles: [], expiresAtMs: 1 }
}

test('a visitor is prompted once, then the action runs once', async () => {
  const site = new Site()
  const { response } = await runWithSignIn(site.action, site.parts)
  expect(response.status).toBe(201)
  expect(site.done).toEqual([A])
  expect(site.prompts).toBe(1)
  await runWithSignIn(site.action, site.parts)
  expect(site.prompts).toBe(1)
})

test('an account that is signed in is not prompted', async () => {
  const site = new Site()
  site.served = sessionOf(A)
  await runWithSignIn(site.action, site.parts)
  expect([site.prompts, site.done]).toEqual([0, [A]])
})

test('a session that ended meanwhile is renewed, and the action not lost', async () => {
  const site = new Site()
  await runWithSignIn(site.action, site.parts)
  // The page does not know yet.
  site.served = undefined
  const { response } = await runWithSignIn(site.action, site.parts)
  expect(response.status).toBe(201)
  expect(site.done).toEqual([A, A])
  expect(site.prompts).toBe(2)
})

test('it is tried twice, not for ever', async () => {
  const site = new Site()
  site.served = sessionOf(A)
  site.refresh()
  const { response } = await runWithSignIn(
    async () => ({ response: new Response(null, { status: 401 }) }),
    site.parts,
  )
  expect(response.status).toBe(401)
  expect(site.prompts).toBe(1)
})

test('giving up does nothing', async () => {
  const site = new Site()
  site.atDialog = () => false
  await expect(runWithSignIn(site.action, site.parts)).rejects.toThrow(GaveUp)
  expect(site.done).toEqual([])
})

test('what one account began, no other finishes', async () => {
  const site = new Site()
  await runWithSignIn(site.action, site.parts)
  site.served = undefined
  site.atDialog = () => {
    site.served = sessionOf(B)
    return true
  }
  await expect(runWithSignIn(site.action, site.parts)).rejects.toThrow(AccountChanged)
  expect(site.done).toEqual([A])
})

test('other refusals are the caller’s', async () => {
  const site = new Site()
  await runWithSignIn(site.action, site.parts)
  const { response } = await runWithSignIn(
    async () => ({ response: new Response(null, { status: 409 }) }),
    site.parts,
  )
  expect(response.status).toBe(409)
  expect(site.prompts).toBe(1)
})
