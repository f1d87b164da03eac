import type { ConnectorArtifact } from '../domain/artifact.ts'
import type { EntityKind } from '../domain/entity.ts'
import type { WriterSql } from './writer.ts'

/** Notes what a published connector names, so that every name can be asked who uses it. */
export const storeReferences = async (sql: WriterSql, connector: ConnectorArtifact): Promise<void> => {
  const used = new Map<string, { readonly kind: EntityKind; readonly name: string; uses: number }>()
  for (const { kind, name } of connector.dependencies) {
    const key = `${kind}/${name}`
    const known = used.get(key)
    if (known) known.uses++
    else used.set(key, { kind, name, uses: 1 })
  }
  if (used.size === 0) return
  const all = [...used.values()]
  await sql`
    insert into entity_references (kind, name, connector, uses)
    select kind, name, ${connector.name}, uses
    from unnest(${all.map(({ kind }) => kind)}::text[], ${all.map(({ name }) => name)}::text[],
      ${all.map(({ uses }) => uses)}::int[]) as used(kind, name, uses)`
}
