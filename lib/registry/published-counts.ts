import type { Services } from '../context.ts'
import type { Address, EntityKind } from '../domain/entity.ts'

/** How many entities of each kind an account has on chain. */
export async function publishedCounts(
  { db }: Pick<Services, 'db'>,
  { address }: { readonly address: Address },
): Promise<Readonly<Record<EntityKind, number>>> {
  const rows = await db.sql<{ kind: EntityKind; total: number }[]>`
    select kind, published as total from owner_totals where owner = ${address}`
  const totals = new Map(rows.map(({ kind, total }) => [kind, total]))
  const of = (kind: EntityKind) => totals.get(kind) ?? 0
  return { connector: of('connector'), transformation: of('transformation'), condition: of('condition') }
}
