import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { ServicesAnswer, ServicesApi } from './harness.ts'

export type Wallet = ReturnType<typeof newWallet>

/** The origin of the site in the tests' configuration. */
export const SITE = 'http://localhost:3000'

/** A new private key. */
export function newWallet() {
  return privateKeyToAccount(generatePrivateKey())
}

/** The message of a fresh challenge. */
export async function challengeFor(
  api: ServicesApi,
  address: string,
  { chainId = 31_337, origin = SITE } = {},
): Promise<string> {
  const answer = await api.send('POST', '/auth/siwe/challenge', {
    json: { address, chain_id: chainId },
    headers: { origin },
  })
  expect(answer.status, answer.text).toBe(200)
  return (answer.json as { message: string }).message
}

export function verify(api: ServicesApi, message: string, signature: Hex | string): Promise<ServicesAnswer> {
  return api.send('POST', '/auth/siwe/verify', { json: { message, signature } })
}

/** Signs in like a client, and returns the session token. */
export async function signIn(api: ServicesApi, wallet: Wallet): Promise<string> {
  const message = await challengeFor(api, wallet.address)
  const answer = await verify(api, message, await wallet.signMessage({ message }))
  expect(answer.status).toBe(200)
  return answer.json as string
}

/** A new user, signed in. */
export async function newPerson(api: ServicesApi): Promise<{ wallet: Wallet; address: Hex; token: string }> {
  const wallet = newWallet()
  return { wallet, address: wallet.address, token: await signIn(api, wallet) }
}
