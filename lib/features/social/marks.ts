import { sql as template } from 'drizzle-orm'
import type postgres from 'postgres'
import type { Context, Services } from '#lib/core/context/context.ts'
import { requireSession } from '#lib/core/identity/authorise.ts'
import type { DeleteRows } from '#lib/core/people/account-status.ts'
import { Failure } from '#lib/protocol/failure.ts'
import type { Piece, PieceKind } from '#lib/protocol/piece.ts'

/** Subject of a mark: a piece, or a format by its hash. */
export interface Marked {
  readonly kind: PieceKind | 'format'
  readonly name: string
}

/** `follow` is for formats, the others are for pieces. */
export const MARKS = ['like', 'save', 'follow'] as const
export type Mark = (typeof MARKS)[number]

/** Marks of one account: bounds the table. */
export const MAX_MARKS: Readonly<Record<Mark, number>> = { like: 2_000, save: 1_000, follow: 100 }

const TOO_MANY: Readonly<Record<Mark, string>> = {
  like: `You like ${MAX_MARKS.like} pieces, as many as the site stores: take a like back first`,
  save: `Your library holds ${MAX_MARKS.save} pieces, as many as it can: take one out first`,
  follow: `You follow ${MAX_MARKS.follow} formats, as many as one can: leave one first`,
}

/** Numbers of likes and plays of a piece. */
export interface PieceCounts {
  readonly likes: number
  /** One for each visitor and day. */
  readonly plays: number
}

const NONE: PieceCounts = { likes: 0, plays: 0 }

/**
 * Sets or removes a mark of the signed-in account. Idempotent.
 *
 * @param input.on False removes it, also from what is no longer published.
 * @throws Failure('unauthenticated'), Failure('invalid_request') for a mark that is not for this kind,
 * Failure('not_found') for what is not published, Failure('too_many') beyond `MAX_MARKS`.
 */
export async function setMark(
  ctx: Context,
  { mark, kind, name, on }: Marked & { readonly mark: Mark; readonly on: boolean },
): Promise<void> {
  const { address } = requireSession(ctx)
  if ((mark === 'follow') !== (kind === 'format')) {
    throw new Failure('invalid_request', 'mark: formats are followed, pieces are liked and saved')
  }
  await ctx.db.sql.begin(async (sql) => {
    // Locks the account: its limit holds, and it is not deleted meanwhile.
    const [user] = await sql`
      select from users where address = ${address} and status = 'active' for no key update`
    if (user === undefined) throw new Failure('unauthenticated', 'Sign in first')
    const changed = on
      ? await insertMark(sql, address, { mark, kind, name }, ctx.clock())
      : await sql`
          delete from marks
          where account = ${address} and mark = ${mark} and kind = ${kind} and name = ${name} returning mark`
    if (changed.length === 0 || mark !== 'like') return
    const by = on ? 1 : -1
    await sql`
      insert into piece_counts as counted (kind, name, likes) values (${kind}, ${name}, ${by})
      on conflict (kind, name) do update set likes = counted.likes + ${by}`
  })
}

async function insertMark(
  sql: postgres.TransactionSql,
  account: string,
  { mark, kind, name }: Marked & { readonly mark: Mark },
  now: Date,
): Promise<readonly unknown[]> {
  const [state] = await sql<{ published: boolean; marked: number }[]>`
    select
      case ${kind}::text
        when 'world' then exists (select from worlds where id = ${name} and status = 'active')
        when 'format' then exists (select from formats where format_hash = ${name} and connectors > 0)
        else exists (select from entities where kind = ${kind} and name = ${name})
      end as published,
      (select count(*)::int from marks where account = ${account} and mark = ${mark}) as marked`
  if (!state?.published) throw new Failure('not_found', `There is no published ${kind} of this name`)
  if (state.marked >= MAX_MARKS[mark]) throw new Failure('too_many', TOO_MANY[mark])
  return sql`
    insert into marks (account, mark, kind, name, created_at)
    values (${account}, ${mark}, ${kind}, ${name}, ${now.toISOString()})
    on conflict do nothing returning mark`
}

/** The marks of the signed-in account on a piece; none for a visitor. */
export async function marksOn(ctx: Context, { kind, name }: Marked): Promise<readonly Mark[]> {
  if (ctx.session === undefined) return []
  const { address } = ctx.session
  const rows = await ctx.db.sql<{ mark: Mark }[]>`
    select mark from marks
    where account = ${address} and mark = any(${[...MARKS]}::text[]) and kind = ${kind} and name = ${name}
    order by mark`
  return rows.map(({ mark }) => mark)
}

/** Likes and plays of pieces, in one read. */
export async function countsOf(
  { db }: Pick<Services, 'db'>,
  pieces: readonly Piece[],
): Promise<(piece: Piece) => PieceCounts> {
  if (pieces.length === 0) return () => NONE
  const rows = await db.sql<(Piece & PieceCounts)[]>`
    select c.kind, c.name, c.likes, c.plays
    from unnest(${pieces.map(({ kind }) => kind)}::text[], ${pieces.map(({ name }) => name)}::text[]) listed(kind, name)
    join piece_counts c on c.kind = listed.kind and c.name = listed.name`
  const counts = new Map(rows.map(({ kind, name, likes, plays }) => [`${kind} ${name}`, { likes, plays }]))
  return ({ kind, name }) => counts.get(`${kind} ${name}`) ?? NONE
}

/** Pieces that an account saved, the one saved last first. What is not published any more is left out. */
export async function savedPieces(
  { db }: Pick<Services, 'db'>,
  { account, kind, limit }: { readonly account: string; readonly kind?: PieceKind; readonly limit: number },
): Promise<readonly Piece[]> {
  const { sql } = db
  return sql<Piece[]>`
    select kind, name from marks m
    where account = ${account} and mark = 'save' ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
      -- One row by its key: for \`exists\` the planner may read all entities into a hash table.
      and case kind
        when 'world' then (select true from worlds w where w.id = m.name and w.status = 'active' limit 1)
        else (select true from entities e where e.kind = m.kind and e.name = m.name limit 1)
      end
    order by created_at desc, kind, name limit ${limit}`
}

/** Takes the likes of an account out of the counts, before its marks go. */
export const deleteLikes: DeleteRows = async (tx, account) => {
  // Locked in order, against deadlocks of two users that like the same pieces.
  await tx.execute(template`
    update piece_counts c set likes = c.likes - 1
    from (
      select kind, name from piece_counts
      join marks using (kind, name)
      where account = ${account} and mark = 'like' order by kind, name for update of piece_counts
    ) liked
    where c.kind = liked.kind and c.name = liked.name`)
}
