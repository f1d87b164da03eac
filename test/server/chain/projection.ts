import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { firstLabels, loadLeaves, storeArtifact } from '#lib/core/entities/stored-leaves.ts'
import { accounts, entities, formats, unverifiedPublications } from '#lib/platform/db/schema/index.ts'
import type { Artifact, BuiltArtifact } from '#lib/protocol/artifact.ts'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'
import { scalarLabels } from '#lib/protocol/format-hash.ts'
import type { TestDatabase } from '#test/support/database.ts'

export interface PublishOptions {
  readonly owner?: Address
  /** False for something that nothing on chain proves. */
  readonly verified?: boolean
}

/** Writes what the worker writes when it has read a publication of `artifact`. */
export async function project(
  db: TestDatabase,
  artifact: BuiltArtifact,
  { owner = randomAddress(), verified = true }: PublishOptions = {},
): Promise<{ address: Address; owner: Address }> {
  const { kind, name, contentHash } = artifact
  const address = randomAddress()
  const hash: Hash = `0x${randomBytes(32).toString('hex')}`
  const formatHash = artifact.kind === 'connector' ? artifact.formatHash : null
  if (!verified) {
    const place = { address, reason: 'missing_code', blockNumber: 1, txHash: hash }
    await db.orm.insert(unverifiedPublications).values({ kind, name, owner, contentHash, ...place })
    return { address, owner }
  }
  await storeArtifact(db.sql, artifact)
  await db.orm.transaction(async (tx) => {
    await tx.insert(entities).values({
      kind,
      name,
      owner,
      address,
      contentHash,
      metadataHash: hash,
      artifactHash: contentHash,
      formatHash,
      blockNumber: 1,
      blockHash: hash,
      txHash: hash,
      txIndex: 0,
      logIndex: 0,
    })
    await tx
      .insert(accounts)
      .values({ address: owner, published: 1 })
      .onConflictDoUpdate({ target: accounts.address, set: { published: sql`${accounts.published} + 1` } })
    if (artifact.kind === 'connector' && formatHash !== null) {
      const { scalars, scalarsCount } = firstLabels(scalarLabels(artifact.leaves))
      const labels = { scalars: [...scalars], scalarsCount }
      await tx
        .insert(formats)
        .values({ formatHash, ...labels, connectors: 1 })
        .onConflictDoUpdate({
          target: formats.formatHash,
          set: { connectors: sql`${formats.connectors} + 1` },
        })
    }
  })
  const used = artifact.kind === 'connector' ? artifact.dependencies : []
  await db.sql`
    insert into entity_references (kind, name, connector, uses)
    select used ->> 'kind', used ->> 'name', ${name}::text, count(*)
    from jsonb_array_elements(${JSON.stringify(used)}::text::jsonb) used
    group by 1, 2`
  return { address, owner }
}

/** The artifact of a draft, as its owner would publish it now. */
export async function draftArtifact(
  db: TestDatabase,
  kind: EntityKind,
  name: string,
): Promise<BuiltArtifact> {
  const [row] = await db.sql<{ body: Artifact }[]>`
    select a.body from drafts d join artifacts a using (content_hash) where d.kind = ${kind} and d.name = ${name}`
  if (row === undefined) throw new Error(`No draft ${kind} ${name}`)
  const { body } = row
  if (body.kind !== 'connector') return body
  return { ...body, leaves: await loadLeaves(db.sql, body.contentHash) }
}

export function randomAddress(): Address {
  return `0x${randomBytes(20).toString('hex')}`
}
