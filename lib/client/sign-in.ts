import type { ChainClient } from './chain.ts'
import { orThrow } from './errors.ts'
import type { ServicesClient } from './services.ts'

/** An account that signs messages by `personal_sign` (EIP-191). Accounts of viem fit. */
export interface MessageSigner {
  readonly address: string
  signMessage(message: { message: string }): Promise<string>
}

/**
 * Signs in to the chain API.
 *
 * @returns A token for drafts and publication, valid for five minutes.
 * @throws WeftError
 */
export async function signIn(chain: ChainClient, account: MessageSigner): Promise<string> {
  const { address } = account
  const { nonce } = await orThrow(chain.GET('/nonce/{address}', { params: { path: { address } } }))
  // What is signed must be what it says, whatever a server sends.
  if (!/^\d{1,80}$/.test(nonce))
    throw new Error('The server sent a nonce that is no number: nothing was signed')
  const message = `Login nonce: ${nonce}`
  const signature = await account.signMessage({ message })
  const body = { address, message, signature }
  return (await orThrow(chain.POST('/auth', { body }))).access_token
}

/**
 * Signs in to the services API by a message of EIP-4361.
 *
 * @param origin Scheme and host of the site, which the message names.
 * @param chainId The chain of the site.
 * @returns A token for profile, follows and Worlds, valid for 24 hours.
 * @throws WeftError
 */
export async function signInToServices(
  services: ServicesClient,
  account: MessageSigner,
  { origin, chainId }: { readonly origin: string; readonly chainId: number },
): Promise<string> {
  const { address } = account
  const body = { address, chain_id: chainId, app_origin: origin }
  const { message } = await orThrow(services.POST('/auth/siwe/challenge', { body }))
  const [first, second] = message.split('\n')
  const expected = `${new URL(origin).host} wants you to sign in with your Ethereum account:`
  if (first !== expected || second?.toLowerCase() !== address.toLowerCase()) {
    throw new Error('The server sent the message of another site or account: nothing was signed')
  }
  const signature = await account.signMessage({ message })
  return orThrow(services.POST('/auth/siwe/verify', { body: { message, signature } }))
}
