import { type BuiltArtifact, withoutLeaves } from '../protocol/artifact.ts'
import { type AnySql, encodeLeaves, leafNameKey } from './stored-leaves.ts'

/** Stores an artifact under its content hash; one that is stored already stays as it is. */
export async function storeArtifact(sql: AnySql, built: BuiltArtifact): Promise<void> {
  const { contentHash, kind, name } = built
  const leaves = built.kind === 'connector' ? encodeLeaves(built.leaves) : null
  const declares = built.kind === 'connector' && built.leaves.some(({ connector }) => connector === name)
  await Promise.all([
    declares &&
      sql`insert into leaf_names (key, name) values (${leafNameKey(name)}, ${name}) on conflict do nothing`,
    sql`
      insert into artifacts (content_hash, kind, name, body, leaves)
      values (${contentHash}, ${kind}, ${name}, ${JSON.stringify(withoutLeaves(built))}::text::jsonb, ${leaves})
      on conflict do nothing`,
  ])
}
