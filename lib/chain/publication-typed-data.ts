import { getTypesForEIP712Domain, stringify } from 'viem'
import { type Address, KIND_CODE } from '#lib/protocol/entity.ts'
import type { Publication } from './publication-calldata.ts'

/** EIP-712 types that `contracts/Registry.sol` hashes. The payload is not signed: the content hash covers it. */
const PUBLICATION_TYPES = {
  Publication: [
    { name: 'kind', type: 'uint8' },
    { name: 'name', type: 'string' },
    { name: 'owner', type: 'address' },
    { name: 'contentHash', type: 'bytes32' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'metadata', type: 'bytes' },
  ],
} as const

const BATCH_TYPES = {
  PublicationBatch: [{ name: 'publications', type: 'Publication[]' }],
  ...PUBLICATION_TYPES,
} as const

/** The registry that a signature is for. */
export interface SigningDomain {
  readonly registry: Address
  readonly chainId: number
}

type SignedFields = Omit<Publication, 'payload'>

/** Typed data that the owner signs for `publish`. */
export function publicationTypedData(publication: SignedFields, target: SigningDomain) {
  return {
    domain: domain(target),
    types: PUBLICATION_TYPES,
    primaryType: 'Publication' as const,
    message: message(publication),
  }
}

/** Typed data that the owner signs for `publishBatch`. */
export function batchTypedData(publications: readonly SignedFields[], target: SigningDomain) {
  return {
    domain: domain(target),
    types: BATCH_TYPES,
    primaryType: 'PublicationBatch' as const,
    message: { publications: publications.map(message) },
  }
}

/** The typed data of a batch as JSON, as wallets take it for `eth_signTypedData_v4`. */
export function batchTypedDataJson(publications: readonly SignedFields[], target: SigningDomain): string {
  const data = batchTypedData(publications, target)
  const EIP712Domain = getTypesForEIP712Domain(data)
  return stringify({ ...data, types: { EIP712Domain, ...data.types } })
}

function domain({ registry, chainId }: SigningDomain) {
  return {
    name: 'Weft Registry',
    version: '1',
    chainId,
    verifyingContract: registry,
  }
}

function message({ kind, name, owner, contentHash, nonce, deadline, metadata }: SignedFields) {
  return {
    kind: KIND_CODE[kind],
    name,
    owner,
    contentHash,
    nonce,
    deadline,
    metadata,
  }
}
