import { P256, PublicKey, WebAuthnP256 } from 'ox'
import { bytesToHex, concatHex, numberToHex, sha256, stringToHex } from 'viem'
import { ask, Refusal } from '#lib/browser/requests.ts'
import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'
import {
  encodeAssertion,
  type PasskeyOrigin,
  passkeyAddress,
  passkeyChallenge,
  rpIdHash,
  withCreation,
} from '#lib/protocol/passkey.ts'
import { type KnownPasskey, knownPasskey, PasskeyFailed } from './known-passkey.ts'

type Assertion = Awaited<ReturnType<typeof WebAuthnP256.sign>>

/**
 * Makes a passkey that the browser can offer without being told which, of the one kind that chains check (ES256): a
 * device that has another kind only refuses, and is left without a passkey of no use. Chromium warns of that in its console.
 *
 * @throws PasskeyFailed
 */
export async function createPasskey(factory: Address): Promise<KnownPasskey> {
  const site = document.title.split(' · ').at(-1) || location.hostname
  const createdOn = new Date().toLocaleDateString(undefined, { dateStyle: 'medium' })
  const { id, publicKey } = await ceremony('make', () =>
    WebAuthnP256.createCredential({
      rp: { id: location.hostname, name: site },
      user: { id: randomBytes(), name: `${site}, ${createdOn}` },
      challenge: randomBytes(),
      attestation: 'none',
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
    }),
  )
  return passkeyOf(factory, id, originOf(publicKey))
}

/**
 * Lets the browser offer the passkeys of this site, and finds the account of the one that is chosen.
 *
 * @throws PasskeyFailed, NoAnswer
 */
export async function findPasskey(factory: Address): Promise<KnownPasskey> {
  const first = await assertion(randomBytes())
  const remembered = knownPasskey(factory)
  if (remembered?.id === first.id) return remembered
  const candidates = keysOf(first)
  for (const origin of candidates) {
    const passkey = passkeyOf(factory, first.id, origin)
    if (await isUser(passkey.account)) return passkey
  }
  // It never signed in: a second signature leaves one key.
  const again = keysOf(await assertion(randomBytes(), first.id))
  const key = candidates.find(({ qx, qy }) => again.some((each) => each.qx === qx && each.qy === qy))
  if (key === undefined) throw new PasskeyFailed('The passkey did not sign twice with one key. Try again.')
  return passkeyOf(factory, first.id, key)
}

/** The account's signature, with how to create the account. @throws PasskeyFailed */
export async function signHash(passkey: KnownPasskey, chainId: number, hash: Hash): Promise<Hex> {
  const challenge = passkeyChallenge(passkey.account, chainId, hash)
  const { metadata, signature } = await assertion(challenge, passkey.id)
  const { authenticatorData, clientDataJSON } = metadata
  const signed = encodeAssertion({
    ...passkey,
    r: word(BigInt(signature.r)),
    s: word(BigInt(signature.s)),
    authenticatorData,
    clientDataJSON,
  })
  return withCreation(passkey.factory, passkey, signed)
}

function passkeyOf(factory: Address, id: string, origin: PasskeyOrigin): KnownPasskey {
  return { ...origin, id, factory, account: passkeyAddress(factory, origin) }
}

function assertion(challenge: Hex | Uint8Array, credentialId?: string): Promise<Assertion> {
  return ceremony('use', () =>
    WebAuthnP256.sign({
      challenge: typeof challenge === 'string' ? challenge : bytesToHex(challenge),
      rpId: location.hostname,
      userVerification: 'required',
      ...(credentialId !== undefined && { credentialId }),
    }),
  )
}

/** The two keys that an assertion can be of. */
function keysOf({ metadata, signature }: Assertion): readonly PasskeyOrigin[] {
  const clientData = sha256(stringToHex(metadata.clientDataJSON))
  const payload = sha256(concatHex([metadata.authenticatorData, clientData]))
  return [0, 1].map((yParity) =>
    originOf(P256.recoverPublicKey({ payload, signature: { ...signature, yParity } })),
  )
}

function originOf(publicKey: PublicKey.PublicKey): PasskeyOrigin {
  const point = PublicKey.toHex(publicKey, { includePrefix: false }).slice(2)
  return { qx: `0x${point.slice(0, 64)}`, qy: `0x${point.slice(64)}`, rpIdHash: rpIdHash(location.hostname) }
}

async function isUser(account: Address): Promise<boolean> {
  try {
    await ask('GET', `/services/users/${account}`)
    return true
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return false
    throw error
  }
}

async function ceremony<T>(what: 'make' | 'use', run: () => Promise<T>): Promise<T> {
  if (typeof PublicKeyCredential === 'undefined') {
    throw new PasskeyFailed('This browser has no passkeys here. Use a newer one, or a wallet.')
  }
  try {
    return await run()
  } catch (error) {
    throw new PasskeyFailed(WORDS[nameOf(error)] ?? CANCELLED[what], { cause: error })
  }
}

const CANCELLED = {
  make: 'No passkey was made: the request was cancelled, or took too long. Nothing has happened.',
  use: 'The passkey was not used: the request was cancelled, took too long, or this device has none for this site. Nothing has happened.',
}

/** By the name of the browser's error. */
const WORDS: Readonly<Record<string, string>> = {
  SecurityError:
    'Passkeys need a site with a name and a secure connection. Open this site by its name, not by a number.',
  NotSupportedError:
    'This device makes no passkeys of the kind that chains can check (ES256). Use another device, or a wallet.',
  ConstraintError:
    'This device cannot keep a passkey behind a fingerprint, a face or a PIN. Use another device, or a wallet.',
}

/** Name of the innermost error: libraries wrap those of the browser. */
function nameOf(error: unknown): string {
  let name = ''
  for (let each = error, depth = 0; each instanceof Error && depth < 4; each = each.cause, depth++)
    name = each.name
  return name
}

function randomBytes(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(32))
}

function word(value: bigint): Hash {
  return numberToHex(value, { size: 32 })
}
