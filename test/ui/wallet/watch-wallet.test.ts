import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { watchWallet } from '#lib/ui/wallet/session/watch-wallet.ts'

const A = `0x${'A'.repeat(40)}`
const B = `0x${'b'.repeat(40)}`

/** A page with wallets that announce themselves on request. */
class Page extends EventTarget {
  ethereum: unknown

  announce(rdns: string, provider: unknown): void {
    this.addEventListener('eip6963:requestProvider', () => {
      const detail = { info: { uuid: '1', rdns, name: rdns, icon: 'data:,' }, provider }
      this.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    })
  }
}

class Wallet extends EventEmitter {
  accounts: unknown
  constructor(accounts: unknown) {
    super()
    this.accounts = accounts
  }
  async request({ method }: { method: string }): Promise<unknown> {
    if (method !== 'eth_accounts') throw new Error(`a watcher must not ask ${method}`)
    return this.accounts
  }
}

function settled() {
  return new Promise((resolve) => setImmediate(resolve))
}

describe('watching a wallet', () => {
  test.each(['io.example', 'injected'])('%s: now and after each switch, until stopped', async (id) => {
    const page = new Page()
    const [wallet, other] = [new Wallet([A]), new Wallet([B])]
    page.announce('io.other', other)
    page.announce('io.example', wallet)
    page.ethereum = wallet
    const shown: unknown[] = []
    const stop = watchWallet(page, id, (address) => shown.push(address))
    await settled()
    expect(shown).toEqual([A.toLowerCase()])
    wallet.emit('accountsChanged', [B, A])
    wallet.emit('accountsChanged', [])
    other.emit('accountsChanged', [A])
    expect(shown).toEqual([A.toLowerCase(), B, undefined])
    stop()
    wallet.emit('accountsChanged', [A])
    expect(shown).toHaveLength(3)
  })

  test('invalid events of a wallet are ignored', async () => {
    const page = new Page()
    const wallet = new Wallet('0xnothing')
    page.announce('io.example', wallet)
    const shown: unknown[] = []
    watchWallet(page, 'io.example', (address) => shown.push(address))
    await settled()
    for (const accounts of [null, [12], ['0x12'], [{}], undefined]) wallet.emit('accountsChanged', accounts)
    expect(shown).toEqual(Array(6).fill(undefined))
  })

  test('a page without wallets is fine', () => {
    const stop = watchWallet(new Page(), 'injected', () => expect.unreachable())
    stop()
  })
})
