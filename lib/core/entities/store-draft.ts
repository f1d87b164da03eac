import type postgres from 'postgres'
import type { Context } from '#lib/core/context/context.ts'
import type { BuiltArtifact } from '#lib/protocol/artifact.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { nameDrafted, nameReserved } from './check-name.ts'
import { storeArtifact } from './stored-leaves.ts'

export interface NewDraft {
  readonly owner: Address
  readonly artifact: BuiltArtifact
  /** The author's own text; null for connectors. */
  readonly source: string | null
}

/**
 * Stores an artifact and makes it the owner's draft of its name, new or revised, in one transaction: all of it or
 * nothing. Storing what is already there changes nothing, not even the time of revision.
 *
 * @throws Failure('name_taken') when the name was published or drafted by another account meanwhile,
 *   Failure('too_many') when a new draft would exceed the owner's limit.
 */
export async function storeDraft(ctx: Context, { owner, artifact, source }: NewDraft): Promise<void> {
  await ctx.db.sql.begin((tx) => store(tx, { owner, artifact, source }, ctx.config.maxDraftsPerOwner))
}

async function store(
  tx: postgres.TransactionSql,
  { owner, artifact, source }: NewDraft,
  limit: number,
): Promise<void> {
  const { kind, name, contentHash } = artifact
  // Sent together, done one after the other: each sees what was committed before it.
  const [, , [draftRow], [now]] = await Promise.all([
    // One at a time for each owner, so that the limit holds. Names are guarded by the primary key.
    tx`select pg_advisory_xact_lock(hashtextextended(${`drafts ${owner}`}, 0))`,
    storeArtifact(tx, artifact),
    tx<{ others: number | null }[]>`
      with written as (
        insert into drafts as d (kind, name, owner, content_hash, source)
        values (${kind}, ${name}, ${owner}, ${contentHash}, ${source})
        on conflict (kind, name) do update
          set content_hash = excluded.content_hash, source = excluded.source, updated_at = now()
          where d.owner = excluded.owner
            and (d.content_hash <> excluded.content_hash or d.source is distinct from excluded.source)
        returning xmax = 0 as created
      )
      select case when created then
        (select count(*)::int from (select 1 from drafts where owner = ${owner} limit ${limit}) counted)
      end as others from written`,
    tx<{ published: boolean; drafter: Address }[]>`
      select drafts.owner as drafter,
        exists (select 1 from entities where kind = ${kind} and name = ${name}) as published
      from drafts where kind = ${kind} and name = ${name}`,
  ])
  if (now?.published) throw nameReserved(kind, name)
  if (now?.drafter !== owner) throw nameDrafted(kind, name)
  // Of what was there before the draft, published or not.
  if (draftRow !== undefined && (draftRow.others ?? 0) >= limit) await checkDraftLimit(tx, owner, limit)
}

/**
 * Published names do not count: their rows stay, but they are drafts no more. They are looked up one by one, because
 * an anti-join would read every published entity.
 */
async function checkDraftLimit(tx: postgres.TransactionSql, owner: Address, limit: number): Promise<void> {
  const [open] = await tx<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from drafts d
      where d.owner = ${owner}
        and (select true from entities e where e.kind = d.kind and e.name = d.name) is null
      limit ${limit + 1}
    ) open`
  if ((open?.count ?? 0) > limit) {
    throw new Failure(
      'too_many',
      `This account has ${limit} drafts, the most it may have: publish some first`,
    )
  }
}
