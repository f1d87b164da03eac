import type { Context } from '../context.ts'
import type { Address, EntityKind, Hash } from '../domain/entity.ts'

export interface OwnedEntity {
  readonly kind: EntityKind
  readonly name: string
}

/** Others of an account and of a format, as far as a page names them. */
export interface Related {
  /** Published by the same account, newest first. */
  readonly byOwner: readonly OwnedEntity[]
  /** How much the account has published, this entity included. */
  readonly publishedByOwner: number
  /** Published connectors of the format, ascending by name. */
  readonly ofFormat: readonly string[]
  /** Connectors of the format, this entity included when it is published. */
  readonly inFormat: number
}

/**
 * What stands near an entity: a fixed number of indexed reads, whatever the size of the account or the format.
 *
 * @param input.formatHash Undefined for what has none.
 * @param input.limit Most names of each list.
 */
export async function related(
  ctx: Pick<Context, 'db'>,
  input: {
    readonly kind: EntityKind
    readonly name: string
    readonly owner: Address
    readonly formatHash: Hash | undefined
    readonly limit: number
  },
): Promise<Related> {
  const { kind, name, owner, limit } = input
  const formatHash = input.formatHash ?? null
  const [byOwner, ofFormat, [counts]] = await Promise.all([
    ctx.db.sql<OwnedEntity[]>`
      select kind, name from entities
      where owner = ${owner} and (kind, name) <> (${kind}, ${name})
      order by block_number desc, tx_index desc, log_index desc limit ${limit}`,
    ctx.db.sql<{ name: string }[]>`
      select name from entities
      where format_hash = ${formatHash} and name <> ${kind === 'connector' ? name : ''}
      order by name limit ${limit}`,
    ctx.db.sql<{ published: number | null; connectors: number | null }[]>`
      select (select published from accounts where address = ${owner}) as published,
        (select connectors from formats where format_hash = ${formatHash}) as connectors`,
  ])
  return {
    byOwner: byOwner.map(({ kind: of, name: called }) => ({ kind: of, name: called })),
    publishedByOwner: counts?.published ?? 0,
    ofFormat: ofFormat.map((row) => row.name),
    inFormat: counts?.connectors ?? 0,
  }
}
