import { sql } from 'drizzle-orm'
import type { Context } from '#lib/core/context/context.ts'
import { FRESH_MS } from '#lib/core/identity/client-network.ts'
import type { Database } from '#lib/platform/db/client.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { endVersions } from './world-versions.ts'

const MIB = 1024 * 1024

type Needs = Pick<Context, 'config' | 'clock'>
type Transaction = Pick<Database['orm'], 'execute' | 'insert'>

/** Day (UTC) under which bytes are counted. */
export function storageDay(now: Date): string {
  return now.toISOString().slice(0, 10)
}

/**
 * Counts bytes that are about to be stored, in the transaction that registers them.
 *
 * @param share Key by which the account is counted (`accountShare`).
 * @throws {Failure} `storage_full` when it stored as many today as it may.
 */
export async function countStored(
  { config, clock }: Needs,
  tx: Transaction,
  share: string,
  bytes: number,
): Promise<void> {
  const day = storageDay(clock())
  const [row] = await tx.execute<{ bytes: number }>(sql`
    insert into stored_bytes (day, share, bytes) values (${day}, ${share}, ${bytes})
    on conflict (day, share) do update set bytes = stored_bytes.bytes + excluded.bytes
    returning bytes::float8 as bytes`)
  const most = config.worldMib.aDay
  if (row !== undefined && row.bytes > most * MIB) {
    throw new Failure(
      'storage_full',
      `An account stores at most ${most} MiB of Worlds in a day, new accounts of a network together: try again tomorrow (UTC)`,
    )
  }
}

/** @throws {Failure} `storage_full` when the files of the site, those of this transaction included, are too many bytes. */
export async function requireRoom(needs: Pick<Needs, 'config'>, tx: Transaction): Promise<void> {
  const [row] = await tx.execute<{ bytes: number }>(sql`select sum(size)::float8 as bytes from blobs`)
  requireRoomFor(needs, row?.bytes ?? 0, 'Worlds')
}

/**
 * Holds bytes of the site against what it may store.
 *
 * @param what Plural of what is stored, for the message.
 * @throws {Failure} `storage_full`
 */
export function requireRoomFor({ config }: Pick<Needs, 'config'>, bytes: number, what: string): void {
  const most = config.worldMib.inAll
  if (bytes <= most * MIB) return
  throw new Failure(
    'storage_full',
    `The site has no room for more ${what}, and stored nothing: try again later, or ask its operator`,
    {},
    { internal: `files of Worlds and pictures of pieces would have more than MAX_WORLD_MIB (${most})` },
  )
}

/**
 * Requires that the Worlds of an account have no more bytes than they may, earlier versions included; what versions of
 * a World share counts once. Versions that nothing names give way first.
 *
 * @param share As of `countStored`.
 * @throws {Failure} `storage_full`
 */
export async function requireShare({ config, clock }: Needs, tx: Transaction, share: string): Promise<void> {
  const fresh = new Date(clock().getTime() - FRESH_MS).toISOString()
  const own = sql`
    select id from worlds
    where (status = 'active' or hidden_at is not null) and (
      owner = ${share}
      or owner in (select address from users where network = ${share} and created_at > ${fresh})
    )`
  const most = config.worldMib.ofAccount
  const hasRoom = async () => {
    const [row] = await tx.execute<{ bytes: number }>(sql`
      with own as (${own})
      select sum(size)::float8 as bytes from (
        select world_id, hash, size from world_files where world_id in (select id from own)
        union select world_id, hash, size from world_version_files where world_id in (select id from own)
      ) files`)
    return (row?.bytes ?? 0) <= most * MIB
  }
  if (await hasRoom()) return
  if ((await endVersions(tx, clock(), sql`v.world_id in (${own})`)) > 0 && (await hasRoom())) return
  throw new Failure(
    'storage_full',
    `The Worlds of an account have at most ${most} MiB, those of new accounts of a network together: delete one first, or make this one smaller`,
  )
}
