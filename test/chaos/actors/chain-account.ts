import type { LocalAccount } from 'viem'
import type { Ask, ChaosAnswer, Client } from '../client.ts'

/** Less than the five minutes that an access token lasts. */
const TOKEN_MS = 4 * 60_000

/** An account that is signed in to the chain API whenever it needs to be. */
export interface ChainAccount {
  readonly account: LocalAccount
  /** Status 0 also when signing in did not work out. */
  ask(method: string, path: string, ask?: Ask): Promise<ChaosAnswer>
}

export function chainAccount(client: Client, account: LocalAccount): ChainAccount {
  let token: string | undefined
  let tokenUntil = 0

  const signIn = async (): Promise<void> => {
    token = undefined
    const { json: nonce } = await client.ask('GET', `/chain/nonce/${account.address}`)
    if (nonce === undefined || !Object.hasOwn(nonce as object, 'nonce')) return
    const message = `Login nonce: ${(nonce as { nonce: string }).nonce}`
    const signature = await account.signMessage({ message })
    const body = { address: account.address, message, signature }
    const { status, json } = await client.ask('POST', '/chain/auth', { body })
    // A nonce of an attempt that was lost is used up: the next time there is a new one.
    if (status !== 200) return
    token = (json as { access_token: string }).access_token
    tokenUntil = Date.now() + TOKEN_MS
  }

  return {
    account,
    async ask(method, path, ask) {
      if (token === undefined || Date.now() > tokenUntil) await signIn()
      if (token === undefined) return { status: 0, json: undefined, bytes: new Uint8Array(0) }
      return client.ask(method, path, { ...ask, token })
    },
  }
}
