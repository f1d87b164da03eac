import { setTimeout as sleep } from 'node:timers/promises'
import { type Delta, illegalChanges, illegalHistories, readDeltas } from '../simulation/audit.ts'
import type { Publication } from './actors/publications.ts'
import type { Reader } from './actors/readers.ts'
import { awakeMs } from './awake.ts'
import type { ChaosNetwork } from './network.ts'
import type { Report } from './report.ts'

const CAUGHT_UP_WITHIN_MS = 20_000

/** What must hold whenever the network has come to rest. */
export async function checkInvariants(
  network: ChaosNetwork,
  published: readonly Publication[],
  readers: readonly Reader[],
  report: Report,
): Promise<void> {
  const deltas = await readDeltas(network.sql)
  const problems = [...illegalHistories(deltas), ...(await illegalChanges(network.sql))]
  for (const problem of problems) report.violation(`the feed: ${problem}`)
  await Promise.all([
    checkProjection(network, report),
    checkPublications(network, published, report),
    checkBundles(network, report),
    ...readers.map((reader, i) => checkReader(`reader ${i + 1}`, reader, deltas, report)),
  ])
}

/** One projection an event: an index made anew says the same. */
async function checkProjection(network: ChaosNetwork, report: Report): Promise<void> {
  const { tables, unverified } = await network.reindex()
  for (const { table, differences } of tables) {
    if (differences.length > 0) {
      report.violation(`${table} is not what the chain says: ${JSON.stringify(differences.slice(0, 3))}`)
    }
  }
  if (unverified.length > 0) report.violation(`nothing proves ${unverified.join(', ')}`)
}

/** Everything that was begun is published, once, and its record says so. */
async function checkPublications(
  { sql }: ChaosNetwork,
  published: readonly Publication[],
  report: Report,
): Promise<void> {
  const items = await sql<{ id: string; items: number }[]>`
    select kind || '/' || name as id, count(*)::int as items from feed_items where visible group by 1`
  const itemsOf = new Map(items.map(({ id, items }) => [id, items]))
  for (const { kind, name } of published) {
    const found = itemsOf.get(`${kind}/${name}`) ?? 0
    if (found !== 1) report.violation(`${kind} ${name} is published and has ${found} items in the feed`)
  }
  const names = new Set(published.map(({ kind, name }) => `${kind}/${name}`))
  const stuck = await sql<{ id: string; stage: string; failure: string | null }[]>`
    select kind || '/' || name as id, stage, failure from publications where stage <> 'mined'`
  for (const { id, stage, failure } of stuck) {
    if (!names.has(id) || stage === 'pending' || stage === 'prepared' || failure === null) {
      report.violation(`the publication of ${id} is ${stage} for ever`)
    }
  }
}

/** Every file that a World names is there with the bytes it was accepted for, and nothing is kept that nobody needs. */
async function checkBundles({ sql }: ChaosNetwork, report: Report): Promise<void> {
  const broken = await sql<{ world_id: string; path: string }[]>`
    with stored as (
      select hash, encode(sha256(string_agg(bytes, ''::bytea order by part)), 'hex') as found
      from blob_parts group by hash)
    select f.world_id, f.path from world_files f left join stored s on s.hash = f.hash
    where s.found is distinct from f.hash`
  for (const { world_id, path } of broken)
    report.violation(`${world_id}/${path} is not stored as it was uploaded`)
  const lost = await sql<{ hash: string }[]>`
    select hash from blobs b
    where not exists (select 1 from world_files f where f.hash = b.hash)
      and not exists (select 1 from blob_leases l where l.hash = b.hash)`
  if (lost.length > 0)
    report.violation(`${lost.length} stored files belong to nothing that would ever delete them`)
}

/** Each delta once and in order. */
async function checkReader(
  name: string,
  reader: Reader,
  deltas: readonly Delta[],
  report: Report,
): Promise<void> {
  const giveUp = awakeMs() + CAUGHT_UP_WITHIN_MS
  while (reader.taken.length < deltas.length && awakeMs() < giveUp) await sleep(20)
  if (reader.taken.length < deltas.length) {
    report.violation(`${name} has ${reader.taken.length} of ${deltas.length} deltas`)
  }
  for (const [i, { feed_id, status }] of deltas.entries()) {
    const taken = reader.taken[i]
    if (taken !== undefined && (taken.feedId !== feed_id || taken.status !== status)) {
      report.violation(
        `${name} was told ${JSON.stringify(taken)}, and the feed has ${JSON.stringify(deltas[i])}`,
      )
      return
    }
  }
}
