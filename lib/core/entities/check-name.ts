import { registryEntry } from '#lib/chain/registry-reads.ts'
import type { Context } from '#lib/core/context/context.ts'
import { verifiedChain } from '#lib/core/context/verified-chain.ts'
import type { Address, EntityKind } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { newNameProblem } from '#lib/protocol/names.ts'

/**
 * Checks that `owner` may draft under a name, before any expensive work: nothing is published under it, here or on
 * chain, and no other account drafts under it. Storing the draft checks again, under a lock.
 *
 * @throws Failure('invalid_request') for text that cannot be a name, Failure('name_taken') for one that is not free,
 *   Failure('chain_unavailable') when a configured chain does not answer.
 */
export async function checkName(ctx: Context, kind: EntityKind, name: string, owner: Address): Promise<void> {
  const problem = newNameProblem(name)
  if (problem !== undefined) throw new Failure('invalid_request', problem)

  // The projection may lag behind the chain, so the chain decides; both are read concurrently.
  const onChain = ctx.chain && verifiedChain(ctx).then((chain) => registryEntry(chain, kind, name))
  onChain?.catch(() => undefined)
  const [row] = await ctx.db.sql<{ published: boolean; drafter: Address | null }[]>`
    select exists (select 1 from entities where kind = ${kind} and name = ${name}) as published,
      (select owner from drafts where kind = ${kind} and name = ${name}) as drafter`
  if (row?.published) throw nameReserved(kind, name)
  if (row?.drafter && row.drafter !== owner) throw nameDrafted(kind, name)
  if ((await onChain) !== undefined) throw nameReserved(kind, name)
}

export function nameReserved(kind: EntityKind, name: string): Failure {
  return new Failure('name_taken', `Name ${name} is reserved on chain: a ${kind} is published under it`)
}

export function nameDrafted(kind: EntityKind, name: string): Failure {
  return new Failure('name_taken', `Name ${name} is taken: another account has a draft ${kind} under it`)
}
