import type { Services } from '#lib/core/context/context.ts'
import { type CodeTraits, traitsOf } from '#lib/protocol/code-traits.ts'
import type { EntityKind, Hash } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { artifactClosure } from './load-artifacts.ts'

/** Bounds the artifacts that one page view reads; beyond them the traits are unknown. */
const LIMITS = { artifacts: 500, bytes: 2 * 1024 * 1024 }

/**
 * The traits of an entity's code: what its results depend on beside their input.
 *
 * @returns undefined where they are unknown: no such entity, or a part of it is missing or too large.
 */
export async function entityTraits(
  ctx: Pick<Services, 'db'>,
  kind: EntityKind,
  name: string,
): Promise<CodeTraits | undefined> {
  const hash = await artifactHash(ctx, kind, name)
  if (!hash) return undefined
  try {
    return traitsOf(await artifactClosure(ctx, [hash], LIMITS))
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** The artifact of a published entity, else of a draft; null where it is not verified, undefined for an unknown name. */
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
