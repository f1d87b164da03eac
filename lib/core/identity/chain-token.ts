import { randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import type { Services } from '#lib/core/context/context.ts'
import { bareAddress, parseAddress } from '#lib/protocol/address.ts'
import type { Address } from '#lib/protocol/entity.ts'

/** Lifetime of an access token of the chain API. */
const CHAIN_TOKEN_SECONDS = 5 * 60

const ALGORITHM = 'HS256'
const TYPE = 'JWT'

type TokenServices = Pick<Services, 'config' | 'clock'>

/**
 * Issues a token that proves control of `address` for five minutes. `sub` is the address in lower case
 * without `0x`, the spelling of owners in the chain API.
 */
export async function issueChainToken(services: TokenServices, address: Address): Promise<string> {
  const { issuer, audience, key } = terms(services)
  const now = Math.floor(services.clock().getTime() / 1000)
  return new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(bareAddress(address))
    .setIssuedAt(now)
    .setExpirationTime(now + CHAIN_TOKEN_SECONDS)
    .setJti(randomUUID())
    .sign(key)
}

/** Returns the account of an unexpired token that this service issued for this API, else undefined. Never throws. */
export async function verifyChainToken(services: TokenServices, token: string): Promise<Address | undefined> {
  const { issuer, audience, key } = terms(services)
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer,
      audience,
      currentDate: services.clock(),
      maxTokenAge: CHAIN_TOKEN_SECONDS,
      requiredClaims: ['iss', 'aud', 'sub', 'iat', 'exp', 'jti'],
    })
    return typeof payload.sub === 'string' ? parseAddress(payload.sub) : undefined
  } catch {
    return undefined
  }
}

function terms({ config }: TokenServices): { issuer: string; audience: string; key: Uint8Array } {
  const { siteOrigin: issuer, chainTokenKey: key } = config
  return { issuer, audience: `${issuer}/chain`, key }
}
