import { and, eq } from 'drizzle-orm'
import { registryEntry } from '../chain/registry-reads.ts'
import type { Context } from '../context.ts'
import { drafts, entities } from '../db/schema/index.ts'
import type { Address, EntityKind } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { entityNameProblem } from '../domain/names.ts'

/**
 * Checks that `owner` may draft under a name, before any expensive work: nothing is published under it, here or on
 * chain, and no other account drafts under it. Storing the draft checks again, under a lock.
 *
 * @throws Failure('invalid_request') for text that cannot be a name, Failure('name_taken') for one that is not free,
 *   Failure('chain_unavailable') when a configured chain cannot be asked.
 */
export async function checkName(ctx: Context, kind: EntityKind, name: string, owner: Address): Promise<void> {
  const problem = entityNameProblem(name)
  if (problem !== undefined) throw new Failure('invalid_request', problem)

  const { orm } = ctx.db
  const [published, draft] = await Promise.all([
    orm
      .select({ owner: entities.owner })
      .from(entities)
      .where(and(eq(entities.kind, kind), eq(entities.name, name))),
    orm
      .select({ owner: drafts.owner })
      .from(drafts)
      .where(and(eq(drafts.kind, kind), eq(drafts.name, name))),
  ])
  if (published.length > 0) throw nameReserved(kind, name)
  if (draft[0] !== undefined && draft[0].owner !== owner) throw nameDrafted(kind, name)
  // The projection may lag behind the chain, so the chain has the last word.
  if (ctx.chain !== undefined && (await registryEntry(ctx.chain, kind, name)) !== undefined) {
    throw nameReserved(kind, name)
  }
}

export function nameReserved(kind: EntityKind, name: string): Failure {
  return new Failure('name_taken', `Name ${name} is reserved on chain: a ${kind} is published under it`)
}

export function nameDrafted(kind: EntityKind, name: string): Failure {
  return new Failure('name_taken', `Name ${name} is taken: another account has a draft ${kind} under it`)
}
