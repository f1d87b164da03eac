import { describe, expect, test } from 'vitest'
import type { Memory } from '#lib/browser/memory.ts'
import { NoAnswer } from '#lib/browser/requests.ts'
import type { Address } from '#lib/protocol/entity.ts'
import type { SiteSession } from '#lib/ui/wallet/session/requests.ts'
import { createSessionStore, type SessionStore } from '#lib/ui/wallet/session/store.ts'
import { until } from '#test/support/until.ts'

const A: Address = `0x${'a'.repeat(40)}`
const B: Address = `0x${'b'.repeat(40)}`

function sessionOf(address: Address): SiteSession {
  return { address, roles: ['user'], expiresAtMs: 1 }
}

/** Shared state of all tabs of one browser: the cookie, the storage, the channel. */
class Browser {
  cookie: SiteSession | undefined
  online = true
  readonly kept = new Map<string, string>()
  readonly channel = `test-${Math.random()}`
  readonly closers: (() => void)[] = []

  tab(fetchSession?: () => Promise<SiteSession | undefined>): SessionStore {
    const memory: Memory = {
      read: (key) => this.kept.get(key),
      write: (key, value) => {
        if (value === undefined) this.kept.delete(key)
        else this.kept.set(key, value)
      },
    }
    const answer = <T>(value: () => T) => {
      if (!this.online) throw new NoAnswer('offline')
      return value()
    }
    const store = createSessionStore({
      source: {
        fetchSession: fetchSession ?? (async () => answer(() => this.cookie)),
        endSession: async () =>
          answer(() => {
            this.cookie = undefined
          }),
      },
      memory,
      openChannel: () => new BroadcastChannel(this.channel) as never,
    })
    this.closers.push(store.open())
    return store
  }

  close(): void {
    for (const close of this.closers) close()
  }
}

async function withBrowser(run: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = new Browser()
  try {
    await run(browser)
  } finally {
    browser.close()
  }
}

function signIn(browser: Browser, tab: SessionStore, address: Address) {
  browser.cookie = sessionOf(address)
  tab.accept(browser.cookie)
}

describe('several tabs', () => {
  test('agree on the signed-in account, and on signing out', () =>
    withBrowser(async (browser) => {
      const [one, other] = [browser.tab(), browser.tab()]
      await Promise.all([one.refresh(), other.refresh()])
      expect(one.getState()).toEqual({ status: 'visitor' })

      signIn(browser, one, A)
      await until('the other tab signed in', () => other.getState().status === 'signed_in')
      expect(other.getState()).toEqual({ status: 'signed_in', session: sessionOf(A) })

      await other.signOut()
      await until('this tab signed out', () => one.getState().status === 'visitor')
    }))

  test('agree to stay with an account although the wallet shows another', () =>
    withBrowser(async (browser) => {
      const [one, other] = [browser.tab(), browser.tab()]
      signIn(browser, one, A)
      await until('the other tab signed in', () => other.getState().status === 'signed_in')
      for (const tab of [one, other]) {
        tab.walletShows(B)
        expect(tab.getState()).toEqual({ status: 'switched', session: sessionOf(A), wallet: B })
      }
      one.stay()
      expect(one.getState().status).toBe('signed_in')
      await until('the other tab signed in', () => other.getState().status === 'signed_in')

      // The choice is about these two accounts, and no longer than the session.
      one.walletShows(`0x${'c'.repeat(40)}`)
      expect(one.getState().status).toBe('switched')
      await one.signOut()
      signIn(browser, one, A)
      one.walletShows(B)
      expect(one.getState().status).toBe('switched')
    }))
})

test('a locked wallet is no switch, and going back to the account ends one', () =>
  withBrowser(async (browser) => {
    const tab = browser.tab()
    signIn(browser, tab, A)
    tab.walletShows(undefined)
    expect(tab.getState().status).toBe('signed_in')
    tab.walletShows(B)
    expect(tab.getState().status).toBe('switched')
    tab.walletShows(A)
    expect(tab.getState().status).toBe('signed_in')
  }))

test('a response to a request from before signing in does not sign out', () =>
  withBrowser(async (browser) => {
    let answer: (session: SiteSession | undefined) => void = () => undefined
    const tab = browser.tab(() => new Promise((resolve) => (answer = resolve)))
    const asked = tab.refresh()
    tab.accept(sessionOf(A))
    answer(undefined)
    await asked
    expect(tab.getState()).toEqual({ status: 'signed_in', session: sessionOf(A) })
  }))

test('being offline does not sign out, and a sign-out that did not reach the server is reported', () =>
  withBrowser(async (browser) => {
    const tab = browser.tab()
    signIn(browser, tab, A)
    browser.online = false
    await tab.refresh()
    expect(tab.getState().status).toBe('signed_in')
    await expect(tab.signOut()).rejects.toThrow(NoAnswer)
    expect(tab.getState().status).toBe('signed_in')
  }))

test('the next page assumes the last account until the session is fetched', () =>
  withBrowser(async (browser) => {
    signIn(browser, browser.tab(), A)
    const next = browser.tab()
    expect(next.getState()).toEqual({ status: 'unknown', guess: A })
    browser.cookie = undefined
    await next.refresh()
    expect(next.getState()).toEqual({ status: 'visitor' })
    expect(browser.tab().getState()).toEqual({ status: 'unknown', guess: undefined })
  }))
