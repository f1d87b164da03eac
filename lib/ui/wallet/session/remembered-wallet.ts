import { browserMemory } from './browser-store.ts'

const KEY = 'weft-wallet'

/** The id of the wallet used last: a reverse domain name, `injected`, `burner` or `walletConnect`. */
export function rememberedWallet(): string | undefined {
  return browserMemory.read(KEY)
}

export function rememberWallet(id: string | undefined): void {
  browserMemory.write(KEY, id)
}
