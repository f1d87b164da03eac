import { SiweMessage } from 'siwe'
import { checksumAddress } from '../domain/address.ts'
import type { Address } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import type { SignInOrigin } from './sign-in-origin.ts'

const STATEMENT = 'Sign in to Weft. This costs nothing and sends no transaction.'

export interface MessageTerms {
  readonly address: Address
  readonly chainId: number
  readonly origin: SignInOrigin
  /** At least eight letters and digits. */
  readonly nonce: string
  readonly issuedAt: Date
  readonly expiresAt: Date
}

/** The text of EIP-4361 that a wallet shows and signs. */
export function composeMessage(terms: MessageTerms): string {
  return new SiweMessage({
    domain: terms.origin.domain,
    address: checksumAddress(terms.address),
    statement: STATEMENT,
    uri: terms.origin.origin,
    version: '1',
    chainId: terms.chainId,
    nonce: terms.nonce,
    issuedAt: terms.issuedAt.toISOString(),
    expirationTime: terms.expiresAt.toISOString(),
  }).prepareMessage()
}

/**
 * The chain a message names. Says nothing about who wrote the message.
 *
 * @throws Failure('invalid_request') for text that EIP-4361 does not allow.
 */
export function messageChainId(text: string): number {
  try {
    return new SiweMessage(text).chainId
  } catch {
    throw new Failure(
      'invalid_request',
      'The message is not an EIP-4361 message: sign the challenge as it came',
    )
  }
}
