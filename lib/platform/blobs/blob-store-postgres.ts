import { createDatabase, type Database } from '../db/client.ts'
import { readDatabaseUrl } from '../db/connect.ts'
import type { BlobStore, ByteRange } from './blob-store.ts'

/** A range reads only the parts it needs; the driver encodes each part as text of twice its size. */
const PART_BYTES = 256 * 1024
const CONNECTIONS = 5
/** Parts that one statement reads, which bounds the size of its answer. */
const PARTS_PER_READ = 16

/** Stores blobs in the database, which all instances of the site share: nothing to configure. */
export function createPostgresBlobStore(databaseUrl: string): BlobStore {
  // A separate pool: the collector deletes blobs while others wait for its transaction, perhaps with every connection
  // of the shared pool.
  const { pooled } = readDatabaseUrl(databaseUrl)
  const db = createDatabase(databaseUrl, { max: pooled ? 1 : CONNECTIONS })
  const { sql } = db

  const readParts = async (hash: string, first: number, last: number): Promise<Uint8Array[]> => {
    const parts: Uint8Array[] = []
    for (let at = first; at <= last; at += PARTS_PER_READ) {
      const rows = await sql<{ bytes: Uint8Array }[]>`
        select bytes from blob_parts
        where hash = ${hash} and part between ${at} and ${Math.min(last, at + PARTS_PER_READ - 1)}
        order by part`
      parts.push(...rows.map((row) => row.bytes))
    }
    return parts
  }

  return {
    put: async (hash, bytes) => {
      // In one transaction: readers see a whole blob or none.
      await sql.begin(async (tx) => {
        for (let part = 0; part === 0 || part * PART_BYTES < bytes.byteLength; part++) {
          const piece = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)
          await tx`
            insert into blob_parts (hash, part, bytes) values (${hash}, ${part}, ${Buffer.from(piece)})
            on conflict do nothing`
        }
      })
    },
    read: async (hash, range) => {
      const { count, bytes: lastSize } = await extent(db, hash)
      if (count === 0) return undefined
      const size = (count - 1) * PART_BYTES + lastSize
      const { start, end } = within(range, size)
      if (start === end) return new Uint8Array(0)
      const first = Math.floor(start / PART_BYTES)
      const parts = await readParts(hash, first, Math.floor((end - 1) / PART_BYTES))
      return cut(parts, start - first * PART_BYTES, end - start)
    },
    delete: async (hashes) => {
      if (hashes.length > 0) await sql`delete from blob_parts where hash = any(${[...hashes]}::text[])`
    },
    close: () => db.close(),
  }
}

/** Number of parts and the size of the last, without reading them. */
async function extent(
  { sql }: Pick<Database, 'sql'>,
  hash: string,
): Promise<{ count: number; bytes: number }> {
  const [row] = await sql<{ count: number; bytes: number }[]>`
    select part + 1 as count, octet_length(bytes) as bytes from blob_parts
    where hash = ${hash} order by part desc limit 1`
  return row ?? { count: 0, bytes: 0 }
}

function within(range: ByteRange | undefined, size: number): ByteRange {
  const end = Math.min(range?.end ?? size, size)
  return { start: Math.min(range?.start ?? 0, end), end }
}

function cut(parts: readonly Uint8Array[], start: number, length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length)
  let at = -start
  for (const part of parts) {
    const from = Math.max(0, -at)
    const piece = part.subarray(from, Math.min(part.byteLength, length - at))
    whole.set(piece, at + from)
    at += part.byteLength
  }
  return whole
}
