import { getTypesForEIP712Domain, hashTypedData, stringify } from 'viem'
import type { Address, EntityKind, Hash, Hex } from './entity.ts'

/**
 * What an account signs so that an agent publishes at its expense: the site pays within the account's own budget, and
 * shows what is published as that of an agent of the account. The agent publishes under its own address: the registry
 * accepts only an owner's own signature.
 */
export interface PublishingGrant {
  readonly owner: Address
  /** The account whose key the agent holds. */
  readonly agent: Address
  /** Ascending. */
  readonly kinds: readonly EntityKind[]
  /** Publications at most. */
  readonly publications: number
  /** Wei at most. */
  readonly budget: bigint
  /** Unix seconds. */
  readonly expires: number
  /** 32 bytes that no other grant of the account has. */
  readonly salt: Hex
}

/** What a grant is for, beside its terms: nothing signed for one holds for another. */
export interface GrantDomain {
  readonly chainId: number
  readonly registry: Address
  /** Scheme and host. */
  readonly site: string
}

export const MAX_GRANT_PUBLICATIONS = 10_000
export const MAX_GRANT_SECONDS = 366 * 86_400

const TYPES = {
  PublishingGrant: [
    { name: 'site', type: 'string' },
    { name: 'owner', type: 'address' },
    { name: 'agent', type: 'address' },
    { name: 'kinds', type: 'string[]' },
    { name: 'publications', type: 'uint256' },
    { name: 'budget', type: 'uint256' },
    { name: 'expires', type: 'uint256' },
    { name: 'salt', type: 'bytes32' },
  ],
} as const

function typedData(grant: PublishingGrant, { chainId, registry, site }: GrantDomain) {
  const { owner, agent, kinds, budget, salt } = grant
  return {
    domain: { name: 'Weft Publishing Grant', version: '1', chainId, verifyingContract: registry },
    types: TYPES,
    primaryType: 'PublishingGrant' as const,
    message: {
      site,
      owner,
      agent,
      kinds,
      publications: BigInt(grant.publications),
      budget,
      expires: BigInt(grant.expires),
      salt,
    },
  }
}

/** The EIP-712 hash that the owner signs; the id of the grant. */
export function grantHash(grant: PublishingGrant, domain: GrantDomain): Hash {
  return hashTypedData(typedData(grant, domain))
}

/** The typed data as JSON, as wallets take it for `eth_signTypedData_v4`. */
export function grantJson(grant: PublishingGrant, domain: GrantDomain): string {
  const data = typedData(grant, domain)
  const EIP712Domain = getTypesForEIP712Domain(data)
  return stringify({ ...data, types: { EIP712Domain, ...TYPES } })
}
