import type { Address, LocalAccount } from 'viem'
import type { Publication } from '../../lib/chain/publication-calldata.ts'
import { type Hex, KIND_CODE } from '../../lib/domain/entity.ts'

/** The EIP-712 type that `Registry.sol` hashes. */
export const PUBLICATION_TYPES = {
  Publication: [
    { name: 'kind', type: 'uint8' },
    { name: 'name', type: 'string' },
    { name: 'owner', type: 'address' },
    { name: 'contentHash', type: 'bytes32' },
    { name: 'metadataHash', type: 'bytes32' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** An owner's consent to a publication that somebody else sends, written out from `contracts/README.md`. */
export function signPublication(
  account: LocalAccount,
  publication: Omit<Publication, 'kind' | 'payload'> & { readonly kind: Publication['kind'] | number },
  registry: { readonly address: Address; readonly chainId: number },
): Promise<Hex> {
  const { kind, name, owner, contentHash, metadataHash, nonce, deadline } = publication
  return account.signTypedData({
    domain: {
      name: 'Weft Registry',
      version: '1',
      chainId: registry.chainId,
      verifyingContract: registry.address,
    },
    types: PUBLICATION_TYPES,
    primaryType: 'Publication',
    message: {
      kind: typeof kind === 'number' ? kind : KIND_CODE[kind],
      name,
      owner,
      contentHash,
      metadataHash,
      nonce,
      deadline,
    },
  })
}
