import type { Services } from '../context.ts'
import { type CodeTraits, traitsOf } from '../domain/code-traits.ts'
import type { EntityKind, Hash } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { rememberedClosure } from './run-memory.ts'

/**
 * What the results of an entity depend on beside their input: of what is published under a name, else of the draft.
 *
 * @returns undefined where that is not known: nothing stands under the name, or parts of it are not here.
 */
export async function entityTraits(
  ctx: Pick<Services, 'db'>,
  kind: EntityKind,
  name: string,
): Promise<CodeTraits | undefined> {
  const hash = await artifactHash(ctx, kind, name)
  if (!hash) return undefined
  try {
    return traitsOf(await rememberedClosure(ctx, hash))
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** The artifact that a name stands for; null where it could not be verified, undefined where there is none. */
export async function artifactHash(
  { db }: Pick<Services, 'db'>,
  kind: EntityKind,
  name: string,
): Promise<Hash | null | undefined> {
  const [row] = await db.sql<{ content_hash: Hash | null }[]>`
    select content_hash from (
      select artifact_hash as content_hash, 1 as rank from entities where kind = ${kind} and name = ${name}
      union all
      select content_hash, 2 from drafts where kind = ${kind} and name = ${name}
    ) found
    order by rank limit 1`
  return row?.content_hash
}
