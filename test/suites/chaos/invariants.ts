import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadDelta } from '#test/support/load-client.ts'
import type { startProcesses } from '#test/support/processes.ts'
import { type Delta, illegalChanges, illegalHistories, readDeltas } from '../simulation/audit.ts'

export type Network = Awaited<ReturnType<typeof startProcesses>>
/** For everything to come to rest. */
export const SETTLE_TIMEOUT_MS = 60_000

/** Checks what must hold once the network is healthy again. */
export async function checkInvariants(
  network: Network,
  violation: (what: string) => void,
  published: readonly string[],
  readers: readonly { readonly taken: readonly ReadDelta[] }[],
): Promise<void> {
  const { sql } = network
  const deltas = await readDeltas(sql)
  for (const problem of [...illegalHistories(deltas), ...(await illegalChanges(sql))])
    violation(`the feed: ${problem}`)
  const { tables, unverified } = await network.reindex()
  for (const { table, differences } of tables) {
    if (differences.length > 0)
      violation(`${table} differs from the chain: ${JSON.stringify(differences.slice(0, 3))}`)
  }
  if (unverified.length > 0) violation(`unverified: ${unverified.join(', ')}`)
  const items = await sql<{ name: string }[]>`select name from feed_items where visible`
  for (const name of published) {
    const found = items.filter((item) => item.name === name).length
    if (found !== 1) violation(`${name} is published and has ${found} items in the feed`)
  }
  const stuck = await sql`select name, stage from publications where stage <> 'mined'`
  if (stuck.length > 0) violation(`publications never end: ${JSON.stringify(stuck)}`)
  const broken = await sql`
    select f.path from (
      select path, hash from world_files union all select path, hash from world_version_files
    ) f left join (
      select hash, encode(sha256(string_agg(bytes, ''::bytea order by part)), 'hex') as found
      from blob_parts group by hash) stored using (hash)
    where stored.found is distinct from f.hash`
  if (broken.length > 0) violation(`files are not stored as uploaded: ${JSON.stringify(broken)}`)
  const orphans = await sql`
    select from blobs b where not exists (select from world_files f where f.hash = b.hash)
      and not exists (select from world_version_files f where f.hash = b.hash)
      and not exists (select from blob_leases l where l.hash = b.hash)`
  if (orphans.length > 0) violation(`${orphans.length} stored files are never deleted`)
  for (const { taken } of readers) await checkReader(taken, deltas, violation)
}

/** Checks that a reader received every delta once and in order. */
async function checkReader(
  taken: readonly ReadDelta[],
  deltas: readonly Delta[],
  violation: (what: string) => void,
): Promise<void> {
  for (const until = Date.now() + SETTLE_TIMEOUT_MS; taken.length < deltas.length; await sleep(20)) {
    if (Date.now() > until) return violation(`a reader has ${taken.length} of ${deltas.length} deltas`)
  }
  const wrong = deltas.findIndex(
    ({ feed_id, status }, i) => taken[i]?.feedId !== feed_id || taken[i]?.status !== status,
  )
  if (wrong >= 0)
    violation(`a reader got ${JSON.stringify(taken[wrong])}, not ${JSON.stringify(deltas[wrong])}`)
}
