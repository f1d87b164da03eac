import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { type Answer, SITE, type TestApi } from '#test/support/api.ts'

export type Wallet = ReturnType<typeof newWallet>

/** A new private key. */
export function newWallet() {
  return privateKeyToAccount(generatePrivateKey())
}

/** The message of a fresh challenge. */
export async function challengeFor(
  api: TestApi,
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

export function verify(api: TestApi, message: string, signature: Hex | string): Promise<Answer> {
  return api.send('POST', '/auth/siwe/verify', { json: { message, signature } })
}

/** Signs in like a client, and returns the session token. */
export async function signIn(api: TestApi, wallet: Wallet): Promise<string> {
  const message = await challengeFor(api, wallet.address)
  const answer = await verify(api, message, await wallet.signMessage({ message }))
  expect(answer.status).toBe(200)
  return answer.json as string
}

/** A new user, signed in. */
export async function newPerson(api: TestApi): Promise<{ wallet: Wallet; address: Hex; token: string }> {
  const wallet = newWallet()
  return { wallet, address: wallet.address, token: await signIn(api, wallet) }
}
