import { sql as template } from 'drizzle-orm'
import type { Context } from '#lib/core/context/context.ts'
import { type AuthorWords, findAuthorWords } from '#lib/core/entities/author-words.ts'
import { visible } from '#lib/core/entities/first-shown.ts'
import { requireSession } from '#lib/core/identity/authorise.ts'
import { titleForSearch } from '#lib/core/indexer/author-words.ts'
import type { DeleteRows } from '#lib/core/people/account-status.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import { canonicalPresentation, type Presentation } from '#lib/protocol/presentation.ts'
import { notFound, requireOwnPiece } from './own-piece.ts'

/** Title and presentation of a piece on this site: at least one of the two. */
interface ShownPiece {
  readonly name: string
  /** Valid by the rules of the author's words, as is `present`. */
  readonly title: string | undefined
  readonly present: Presentation | undefined
}

/**
 * Shows a piece on this site as its owner wants it, in place of its words on chain, which stay what they are. Idempotent.
 *
 * @throws Failure('unauthenticated'), Failure('not_found') for what is no published connector, Failure('forbidden') for
 *   accounts other than its owner, Failure('invalid_request') for neither title nor presentation.
 */
export async function putShownPiece(ctx: Context, { name, title, present }: ShownPiece): Promise<void> {
  await requireOwnPiece(ctx, name)
  if (title === undefined && present === undefined) {
    throw new Failure(
      'invalid_request',
      'A piece has a title or a presentation: remove the change to show it as published',
    )
  }
  const { address } = requireSession(ctx)
  await ctx.db.sql.begin(async (sql) => {
    // Locks the account, so that it is not deleted meanwhile.
    const [user] = await sql`
      select from users where address = ${address} and status = 'active' for no key update`
    if (user === undefined) throw new Failure('unauthenticated', 'Sign in first')
    const stored = await sql`
      insert into shown_pieces (name, owner, content_hash, title, search_title, presentation, changed_at)
      select name, owner, content_hash, ${title ?? null}, ${title === undefined ? null : titleForSearch(title)},
        ${present === undefined ? null : JSON.stringify(canonicalPresentation(present))}::jsonb, ${ctx.clock().toISOString()}
      from entities where kind = 'connector' and name = ${name} and owner = ${address}
      on conflict (name) do update set owner = excluded.owner, content_hash = excluded.content_hash,
        title = excluded.title, search_title = excluded.search_title, presentation = excluded.presentation,
        changed_at = excluded.changed_at
      returning name`
    if (stored.length === 0) throw notFound(name)
  })
}

/** Shows a piece as it was published again. Idempotent. @throws As `putShownPiece`. */
export async function removeShownPiece(ctx: Context, name: string): Promise<void> {
  await requireOwnPiece(ctx, name)
  await ctx.db.sql`delete from shown_pieces where name = ${name}`
}

/**
 * Returns title and presentation of a published piece as they are shown on this site.
 *
 * @throws Failure('not_found') for what is no published connector, and where it is hidden.
 */
export async function readShownPiece(
  ctx: Context,
  name: string,
): Promise<Pick<AuthorWords, 'title' | 'present' | 'isChanged'>> {
  const { sql } = ctx.db
  if (!isEntityName(name)) throw notFound(name)
  const [row] = await sql`
    select from entities e where kind = 'connector' and name = ${name} and ${visible(sql)}`
  if (row === undefined) throw notFound(name)
  return (await findAuthorWords(ctx, 'connector', name)) ?? {}
}

/** Deletes what an account changed. */
export const deleteShownPieces: DeleteRows = async (tx, account) => {
  await tx.execute(template`delete from shown_pieces where owner = ${account}`)
}
