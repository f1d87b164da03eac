import { and, eq, ne, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { artifacts, drafts, entities } from '../db/schema/index.ts'
import type { Artifact } from '../domain/artifact.ts'
import type { Address } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { nameDrafted, nameReserved } from './check-name.ts'
import { untilReadsShowIt } from './read-stamps.ts'

export interface NewDraft {
  readonly owner: Address
  readonly artifact: Artifact
  /** The author's own text; null for connectors. */
  readonly source: string | null
}

/**
 * Stores an artifact and makes it the owner's draft of its name, new or revised, in one transaction: all of it or
 * nothing. Storing what is already there changes nothing, not even the time of revision. Whoever reads after this has
 * returned reads the draft.
 *
 * @throws Failure('name_taken') when the name was published or drafted by another account meanwhile,
 *   Failure('too_many') when a new draft would exceed the owner's limit.
 */
export async function storeDraft(ctx: Context, { owner, artifact, source }: NewDraft): Promise<void> {
  const { kind, name, contentHash } = artifact
  await ctx.db.orm.transaction(async (tx) => {
    // One at a time for each owner, so that the limit holds. Names are guarded by the primary key.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`drafts ${owner}`}, 0))`)

    const published = await tx
      .select({ name: entities.name })
      .from(entities)
      .where(and(eq(entities.kind, kind), eq(entities.name, name)))
    if (published.length > 0) throw nameReserved(kind, name)

    await tx.insert(artifacts).values({ contentHash, kind, name, body: artifact }).onConflictDoNothing()
    const created = await tx
      .insert(drafts)
      .values({ kind, name, owner, contentHash, source })
      .onConflictDoNothing()
      .returning({ name: drafts.name })
    if (created.length > 0) {
      await checkDraftLimit(tx, owner, ctx.config.maxDraftsPerOwner)
      return
    }

    const [existing] = await tx
      .select({ owner: drafts.owner })
      .from(drafts)
      .where(and(eq(drafts.kind, kind), eq(drafts.name, name)))
    if (existing?.owner !== owner) throw nameDrafted(kind, name)
    await tx
      .update(drafts)
      .set({ contentHash, source, updatedAt: sql`now()` })
      .where(
        and(
          eq(drafts.kind, kind),
          eq(drafts.name, name),
          sql`(${ne(drafts.contentHash, contentHash)} or ${drafts.source} is distinct from ${source})`,
        ),
      )
  })
  await untilReadsShowIt()
}

type Transaction = Parameters<Parameters<Context['db']['orm']['transaction']>[0]>[0]

/**
 * Published names do not count: their rows stay, but they are drafts no more. They are looked up one by one, because
 * an anti-join would read every published entity.
 */
async function checkDraftLimit(tx: Transaction, owner: Address, limit: number): Promise<void> {
  const rows = await tx.execute<{ count: number }>(sql`
    select count(*)::int as count from (
      select 1 from drafts d
      where d.owner = ${owner}
        and (select true from entities e where e.kind = d.kind and e.name = d.name) is null
      limit ${limit + 1}
    ) open`)
  if ((rows[0]?.count ?? 0) > limit) {
    throw new Failure(
      'too_many',
      `This account has ${limit} drafts, the most it may have: publish some first`,
    )
  }
}
