import type postgres from 'postgres'
import type { Context } from '#lib/core/context/context.ts'
import { requireSession } from '#lib/core/identity/authorise.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { isEntityName } from '#lib/protocol/names.ts'

/** @throws Failure('unauthenticated'), Failure('not_found'), Failure('forbidden') */
export async function requireOwnPiece(ctx: Context, name: string): Promise<void> {
  await ownHash(ctx, name, false)
}

/**
 * Content hash of the account's connector of a name: as published, else of its draft.
 *
 * @param sql A transaction, to read what it has changed.
 * @throws As `requireOwnPiece`.
 */
export function ownContentHash(ctx: Context, name: string, sql?: postgres.ISql): Promise<string> {
  return ownHash(ctx, name, true, sql)
}

async function ownHash(
  ctx: Context,
  name: string,
  withDrafts: boolean,
  sql: postgres.ISql = ctx.db.sql,
): Promise<string> {
  const { address } = requireSession(ctx)
  if (!isEntityName(name)) throw notFound(name)
  const [row] = await sql<{ owner: string; hash: string }[]>`
    select owner, content_hash as hash from entities where kind = 'connector' and name = ${name}
    union all
    select owner, content_hash from drafts d where ${withDrafts} and kind = 'connector' and name = ${name}
      and owner = ${address} and not exists (select from entities e where e.kind = d.kind and e.name = d.name)`
  if (row === undefined) throw notFound(name)
  if (row.owner !== address)
    throw new Failure('forbidden', 'Only the owner of a piece decides how it is shown')
  return row.hash
}

export function notFound(name: string): Failure {
  return new Failure('not_found', `No published connector is called ${name}`)
}
