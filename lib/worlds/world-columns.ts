import type { Database } from '../db/client.ts'

/** The columns of `worlds` that `toWorld` reads, for a query of its own. */
export function worldColumns({ sql }: Pick<Database, 'sql'>) {
  return sql`
    id, owner, manifest, bundle_hash, manifest_hash,
    (extract(epoch from created_at) * 1000)::float8 as created_ms,
    (extract(epoch from updated_at) * 1000)::float8 as updated_ms`
}
