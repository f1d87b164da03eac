import { P256, WebAuthnP256 } from 'ox'
import { concatHex, hashMessage, numberToHex, sha256, stringToHex } from 'viem'
import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'
import {
  encodeAssertion,
  type PasskeyOrigin,
  passkeyAddress,
  passkeyChallenge,
  rpIdHash,
  withCreation,
} from '#lib/protocol/passkey.ts'

/** Deviations of an authenticator or a browser; none by default. */
export interface AssertionChanges {
  readonly rpId?: string
  readonly origin?: string
  readonly crossOrigin?: boolean
  readonly type?: string
  readonly flags?: number
  readonly extra?: Readonly<Record<string, unknown>>
  readonly privateKey?: Hex
  /** Changes the JSON after signing. */
  readonly json?: (text: string) => string
  readonly authenticatorData?: (data: Hex) => Hex
  readonly highS?: boolean
}

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
/** User present and verified, backed up. */
const FLAGS = 0x1d

export interface SoftPasskey {
  readonly origin: PasskeyOrigin
  readonly privateKey: Hex
  readonly account: Address
  /** The account's signature of a hash, without how to create the account. */
  signHash(hash: Hash, chainId: number, changes?: AssertionChanges, account?: Address): Hex
  signChallenge(challenge: Hash, changes?: AssertionChanges): Hex
  /** The same for a text (EIP-191), with how to create the account. */
  signMessage(message: string, chainId: number, changes?: AssertionChanges): Hex
  wrap(signature: Hex): Hex
}

/** A passkey in memory, for tests that need no browser. */
export function softPasskey(factory: Address, site: string): SoftPasskey {
  const privateKey = P256.randomPrivateKey()
  const { x, y } = P256.getPublicKey({ privateKey })
  const word = (value: bigint) => numberToHex(value, { size: 32 })
  const host = new URL(site).hostname
  const [qx, qy] = [x, y] as unknown as [Hex | bigint, Hex | bigint]
  const origin = { qx: word(BigInt(qx)), qy: word(BigInt(qy)), rpIdHash: rpIdHash(host) }
  const account = passkeyAddress(factory, origin)

  const signChallenge = (challenge: Hash, changes: AssertionChanges = {}): Hex => {
    const authenticatorData = WebAuthnP256.getAuthenticatorData({
      rpId: changes.rpId ?? host,
      flag: changes.flags ?? FLAGS,
      signCount: 0,
    })
    const clientDataJSON = WebAuthnP256.getClientDataJSON({
      challenge,
      origin: changes.origin ?? site,
      crossOrigin: changes.crossOrigin ?? false,
      ...(changes.extra && { extraClientData: changes.extra }),
    }).replace('webauthn.get', changes.type ?? 'webauthn.get')
    const signature = P256.sign({
      payload: sha256(concatHex([authenticatorData, sha256(stringToHex(clientDataJSON))])),
      privateKey: changes.privateKey ?? privateKey,
    })
    const [r, s] = [BigInt(signature.r), BigInt(signature.s)]
    const low = s > ORDER / 2n ? ORDER - s : s
    return encodeAssertion({
      ...origin,
      r: word(r),
      s: word(changes.highS ? ORDER - low : low),
      authenticatorData: changes.authenticatorData?.(authenticatorData) ?? authenticatorData,
      clientDataJSON: changes.json?.(clientDataJSON) ?? clientDataJSON,
    })
  }
  const signHash: SoftPasskey['signHash'] = (hash, chainId, changes, of = account) =>
    signChallenge(passkeyChallenge(of, chainId, hash), changes)
  const wrap = (signature: Hex) => withCreation(factory, origin, signature)
  return {
    origin,
    privateKey,
    account,
    signHash,
    signChallenge,
    signMessage: (message, chainId, changes) => wrap(signHash(hashMessage(message), chainId, changes)),
    wrap,
  }
}
