/*
 * A database holds several chains: the default chain in `public`, chain 8453 in the schema `chain_8453`, which has the
 * same tables by the same migrations. A connection names its chain by its search path, so that no statement has to. What
 * belongs to accounts and Worlds rather than to a chain is in `public` only, where every chain finds it.
 */

/** Tables that all chains share. None has names of entities: on another chain a name is another entity. */
export const SHARED_TABLES: readonly string[] = [
  'used_chain_nonces',
  'siwe_challenges',
  'users',
  'sessions',
  'agent_grants',
  'rate_limits',
  'follows',
  'workspaces',
  'workspace_versions',
  'shared_drafts',
  'worlds',
  'blobs',
  'blob_leases',
  'world_files',
  'blob_parts',
  'world_reports',
  'world_previews',
  'world_preview_files',
]

export const DEFAULT_SCHEMA = 'public'

const SEARCH_PATH = 'search_path'

/** Returns the database's address for connections of a further chain. */
export function chainDatabaseUrl(databaseUrl: string, chainId: number): string {
  const url = new URL(databaseUrl)
  // The driver sends parameters that it does not know as settings of the session.
  url.searchParams.set(SEARCH_PATH, `chain_${chainId},${DEFAULT_SCHEMA}`)
  return url.href
}

/** Returns the same address for connections of the default chain. */
export function defaultDatabaseUrl(databaseUrl: string): string {
  if (schemaOfUrl(databaseUrl) === DEFAULT_SCHEMA) return databaseUrl
  const url = new URL(databaseUrl)
  url.searchParams.delete(SEARCH_PATH)
  return url.href
}

/** Returns the schema of the chain that connections to this address read and write. */
export function schemaOfUrl(databaseUrl: string): string {
  const path = URL.parse(databaseUrl)?.searchParams.get(SEARCH_PATH) ?? ''
  return /^chain_\d+(?=,)/.exec(path)?.[0] ?? DEFAULT_SCHEMA
}
