import type { Address, LocalAccount } from 'viem'
import { kindOfCode, type Publication } from '#lib/chain/publication-calldata.ts'
import { batchTypedData, publicationTypedData } from '#lib/chain/publication-typed-data.ts'
import type { EntityKind, Hex } from '#lib/protocol/entity.ts'

type Signed = Omit<Publication, 'kind' | 'payload'> & { readonly kind: EntityKind | number }
interface Registry {
  readonly address: Address
  readonly chainId: number
}

/** The owner's signature of a publication that another account sends. */
export function signPublication(
  account: LocalAccount,
  publication: Signed,
  registry: Registry,
): Promise<Hex> {
  return account.signTypedData(publicationTypedData(named(publication), domain(registry)))
}

/** The owner's one signature of several publications. */
export function signBatch(
  account: LocalAccount,
  publications: readonly Signed[],
  registry: Registry,
): Promise<Hex> {
  return account.signTypedData(batchTypedData(publications.map(named), domain(registry)))
}

function domain({ address, chainId }: Registry) {
  return { registry: address, chainId }
}

function named(publication: Signed) {
  const { kind } = publication
  return { ...publication, kind: typeof kind === 'number' ? kindOfCode(kind)! : kind }
}
