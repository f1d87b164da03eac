import type { Address, LocalAccount } from 'viem'
import { kindOfCode, type Publication } from '../../lib/chain/publication-calldata.ts'
import { batchTypedData, publicationTypedData } from '../../lib/chain/publication-typed-data.ts'
import type { EntityKind, Hex } from '../../lib/domain/entity.ts'

type Signed = Omit<Publication, 'kind' | 'payload'> & { readonly kind: EntityKind | number }
interface Registry {
  readonly address: Address
  readonly chainId: number
}

/** The owner's signature of a publication that another account sends. */
export const signPublication = (
  account: LocalAccount,
  publication: Signed,
  registry: Registry,
): Promise<Hex> => account.signTypedData(publicationTypedData(named(publication), domain(registry)))

/** The owner's one signature of several publications. */
export const signBatch = (
  account: LocalAccount,
  publications: readonly Signed[],
  registry: Registry,
): Promise<Hex> => account.signTypedData(batchTypedData(publications.map(named), domain(registry)))

const domain = ({ address, chainId }: Registry) => ({ registry: address, chainId })

const named = (publication: Signed) => {
  const { kind } = publication
  return { ...publication, kind: typeof kind === 'number' ? kindOfCode(kind)! : kind }
}
