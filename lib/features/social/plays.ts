import { createHash, randomBytes } from 'node:crypto'
import type { Context } from '#lib/core/context/context.ts'
import type { Piece } from '#lib/protocol/piece.ts'

/** Kinds of pieces that play. */
export const PLAYED_KINDS = ['connector', 'world'] as const

/** Pieces of one visitor that count on one day. */
const MAX_OF_VISITOR = 100
/** Plays of all visitors that count on one day: bounds the table. */
const MAX_OF_DAY = 200_000

/**
 * Counts a play of a published piece: once for each client address and day (UTC). Addresses are stored nowhere, only
 * their hashes under a random salt, which is deleted with the hashes at the first play of the next day. Beyond 100 pieces of a
 * visitor, or 200,000 plays of a day, plays do not count.
 */
export async function countPlay(
  ctx: Pick<Context, 'db' | 'clock' | 'client'>,
  { kind, name }: Piece & { readonly kind: (typeof PLAYED_KINDS)[number] },
): Promise<void> {
  const day = ctx.clock().toISOString().slice(0, 10)
  await ctx.db.sql.begin(async (sql) => {
    const begun = await sql`
      insert into play_days (day, salt) values (${day}, ${randomBytes(16).toString('hex')})
      on conflict do nothing returning day`
    if (begun.length > 0) {
      await sql`delete from play_visitors where day < ${day}`
      await sql`delete from play_days where day < ${day}`
    }
    const [today] = await sql<{ salt: string; plays: number }[]>`
      select salt, plays from play_days where day = ${day}`
    if (today === undefined || today.plays >= MAX_OF_DAY) return
    const visitor = createHash('sha256')
      .update(`${today.salt} ${ctx.client ?? 'this machine'}`)
      .digest('base64url')
    const counted = await sql`
      insert into play_visitors (day, visitor, kind, name)
      select ${day}::date, ${visitor}::text, ${kind}::text, ${name}::text
      where case when ${kind} = 'world'
          then exists (select from worlds where id = ${name} and status = 'active')
          else exists (select from entities where kind = ${kind} and name = ${name})
        end
        and (select count(*) from play_visitors where day = ${day} and visitor = ${visitor}) < ${MAX_OF_VISITOR}
      on conflict do nothing returning day`
    if (counted.length === 0) return
    await sql`
      insert into piece_counts as counted (kind, name, plays) values (${kind}, ${name}, 1)
      on conflict (kind, name) do update set plays = counted.plays + 1`
    // Last: the one row that all plays of a day share.
    await sql`update play_days set plays = plays + 1 where day = ${day}`
  })
}
