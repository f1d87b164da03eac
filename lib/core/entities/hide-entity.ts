import { and, eq } from 'drizzle-orm'
import type { Services } from '#lib/core/context/context.ts'
import { recordAct } from '#lib/platform/db/audit.ts'
import { hiddenEntities } from '#lib/platform/db/schema/index.ts'
import { ENTITY_KINDS, type EntityKind } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'

export interface Moderation {
  readonly name: string
  /** Needed where entities of several kinds have the name. */
  readonly kind?: EntityKind | undefined
  /** False lifts it. */
  readonly hidden: boolean
  readonly operator: string
  readonly reason: string
}

/**
 * Takes a published entity out of lists and search, or puts it back; for operators only. Its page, the APIs and the chain
 * stay as they are. Recorded in the audit log.
 *
 * @returns The kind of the entity.
 * @throws Failure('not_found') for an unknown name, Failure('invalid_request') for one of several kinds.
 */
export async function setHidden(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { name, kind: onlyKind, hidden, operator, reason }: Moderation,
): Promise<EntityKind> {
  const kinds = onlyKind === undefined ? ENTITY_KINDS : [onlyKind]
  const rows = await db.sql<{ kind: EntityKind }[]>`
    select kind from entities where kind = any(${[...kinds]}::text[]) and name = ${name} order by kind`
  const [only, another] = rows
  if (only === undefined) throw new Failure('not_found', `Nothing published is called ${name}`)
  if (another !== undefined) {
    throw new Failure(
      'invalid_request',
      `${name} is of several kinds: ${rows.map(({ kind }) => kind).join(', ')}`,
    )
  }
  const { kind } = only
  await db.orm.transaction(async (tx) => {
    if (hidden) await tx.insert(hiddenEntities).values({ kind, name }).onConflictDoNothing()
    else
      await tx.delete(hiddenEntities).where(and(eq(hiddenEntities.kind, kind), eq(hiddenEntities.name, name)))
    const act = hidden ? 'hide_entity' : 'show_entity'
    await recordAct(tx, { at: clock(), actor: operator, act, subject: `${kind}/${name}`, reason })
  })
  return kind
}
