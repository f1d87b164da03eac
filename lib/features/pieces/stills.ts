import { createHash } from 'node:crypto'
import { sql as template } from 'drizzle-orm'
import { rewritePng } from '#lib/compute/pictures/png.ts'
import { PICTURE_SIZES, type PictureSize } from '#lib/compute/pictures/scene.ts'
import type { Context } from '#lib/core/context/context.ts'
import { requireSession } from '#lib/core/identity/authorise.ts'
import type { DeleteRows } from '#lib/core/people/account-status.ts'
import { requireRoomFor } from '#lib/core/worlds/storage-quota.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { WORLD_PICTURE } from '#lib/protocol/world-manifest.ts'
import { ownContentHash } from './own-piece.ts'

/** Most bytes of a still as it is stored and served. */
const MOST_BYTES = { card: 300_000, tile: 50_000 } as const
/** From the best on: the first that is small enough counts. */
const QUALITIES = [86, 72, 54, 36, 18] as const
/** Stills of one account: bounds the table. */
export const MAX_STILLS = 500
/** Stills of one account whose connectors were never published; earlier ones are deleted. */
const MAX_WAITING = 4

/**
 * Stores the picture of a piece that its owner took, in place of an earlier one. That of a draft is shown once exactly that
 * is published, so that the author may leave meanwhile. Idempotent.
 *
 * @param input.png From a World by way of a browser: only its pixels are kept, in a file of our own making.
 * @throws Failure('unauthenticated'), Failure('not_found') for what is no connector of the site, Failure('forbidden') for
 *   accounts other than its owner, Failure('invalid_request') for anything but a small PNG, Failure('too_many') beyond
 *   `MAX_STILLS`, Failure('storage_full').
 */
export async function putStill(
  ctx: Context,
  { name, png }: { readonly name: string; readonly png: Uint8Array },
): Promise<void> {
  await ownContentHash(ctx, name)
  const { card: bytes, tile } = await encode(await rewritePng(png, WORLD_PICTURE.side))
  const hash = createHash('sha256').update(bytes).digest('hex')
  const { address } = requireSession(ctx)
  await ctx.db.sql.begin(async (sql) => {
    // Locks the account: its limit holds, and it is not deleted meanwhile.
    const [user] = await sql`
      select from users where address = ${address} and status = 'active' for no key update`
    if (user === undefined) throw new Failure('unauthenticated', 'Sign in first')
    // Again: while the picture was encoded, a reorg may have given the name to another account.
    const contentHash = await ownContentHash(ctx, name, sql)
    const [count] = await sql<{ others: number }[]>`
      select count(*)::int as others from piece_stills where owner = ${address} and name <> ${name}`
    if ((count?.others ?? 0) >= MAX_STILLS) {
      throw new Failure('too_many', `The site stores ${MAX_STILLS} pictures of your pieces: remove one first`)
    }
    await sql`
      delete from piece_stills where owner = ${address} and name in (
        select name from piece_stills s
        where s.owner = ${address} and s.name <> ${name} and s.unpublished_since is not null and not exists (
          select from entities e where e.kind = 'connector' and e.name = s.name and e.content_hash = s.content_hash
        ) order by taken_at desc, name offset ${MAX_WAITING - 1}
      )`
    await sql`
      insert into piece_stills (name, owner, content_hash, hash, bytes, tile, taken_at, unpublished_since)
      select ${name}, ${address}, ${contentHash}, ${hash}, ${Buffer.from(bytes)}, ${Buffer.from(tile)}, taken.at, case when not exists (
        select from entities e where e.kind = 'connector' and e.name = ${name} and e.content_hash = ${contentHash}
      ) then taken.at end
      from (select ${ctx.clock().toISOString()}::timestamptz) taken(at)
      on conflict (name) do update set owner = excluded.owner, content_hash = excluded.content_hash,
        hash = excluded.hash, bytes = excluded.bytes, tile = excluded.tile, taken_at = excluded.taken_at,
        unpublished_since = excluded.unpublished_since`
    const [stored] = await sql<{ bytes: number }[]>`
      select coalesce((select sum(size) from blobs), 0)::float8
        + coalesce((select sum(octet_length(bytes) + coalesce(octet_length(tile), 0)) from piece_stills), 0)::float8 as bytes`
    requireRoomFor(ctx, stored?.bytes ?? 0, 'pictures')
  })
}

/** Removes it again, also of a draft: the picture is drawn from its numbers. Idempotent. @throws As `ownContentHash`. */
export async function removeStill(ctx: Context, name: string): Promise<void> {
  await ownContentHash(ctx, name)
  const { address } = requireSession(ctx)
  await ctx.db.sql`delete from piece_stills where name = ${name} and owner = ${address}`
}

/** Hash of the still of a published piece; undefined without one, and while an operator hides the piece. One indexed read. */
export async function findStill({ db }: Pick<Context, 'db'>, name: string): Promise<string | undefined> {
  const [row] = await db.sql<{ hash: string }[]>`
    select s.hash from piece_stills s
    join entities e on e.kind = 'connector' and e.name = s.name and e.content_hash = s.content_hash and e.owner = s.owner
    where s.name = ${name}
      and not exists (select from hidden_entities h where h.kind = 'connector' and h.name = s.name)`
  return row?.hash
}

/** Path of a still of this site. */
export function stillHref(hash: string, size: PictureSize = 'card'): string {
  return `/services/stills/${hash}${size === 'tile' ? '?size=tile' : ''}`
}

/**
 * Reads the still of a published piece by its hash.
 *
 * @param options.size A still from before there were tiles has one size.
 * @param options.isCached The client has its bytes: they stay where they are, and none are returned.
 * @throws Failure('not_found'), also while an operator hides the piece.
 */
export async function readStill(
  { db }: Pick<Context, 'db'>,
  hash: string,
  { size, isCached }: { readonly size: PictureSize; readonly isCached: boolean },
): Promise<Uint8Array<ArrayBuffer>> {
  const [row] = await db.sql<{ bytes: Buffer }[]>`
    select case when ${isCached} then ''::bytea when ${size === 'tile'} then coalesce(s.tile, s.bytes) else s.bytes end as bytes from piece_stills s
    join entities e on e.kind = 'connector' and e.name = s.name and e.content_hash = s.content_hash and e.owner = s.owner
    where s.hash = ${hash}
      and not exists (select from hidden_entities h where h.kind = 'connector' and h.name = s.name)
    limit 1`
  if (row === undefined) throw new Failure('not_found', 'There is no such picture')
  return Uint8Array.from(row.bytes)
}

/** Deletes the stills of an account. */
export const deleteStills: DeleteRows = async (tx, account) => {
  await tx.execute(template`delete from piece_stills where owner = ${account}`)
}

/** Runs on threads of the library. @param png Of our own making. */
async function encode(png: Uint8Array): Promise<Readonly<Record<PictureSize, Uint8Array>>> {
  // Loaded when it is needed: the worker and most sites for a while never do.
  const { createCanvas, loadImage } = await import('@napi-rs/canvas')
  const image = await loadImage(png)
  const encodeAs = async (size: PictureSize) => {
    const [width, height] = PICTURE_SIZES[size]
    const canvas = createCanvas(width, height)
    const pen = canvas.getContext('2d')
    pen.fillStyle = '#ffffff'
    pen.fillRect(0, 0, width, height)
    const scale = Math.max(width / image.width, height / image.height)
    const [drawnWidth, drawnHeight] = [image.width * scale, image.height * scale]
    pen.imageSmoothingQuality = 'high'
    pen.drawImage(image, (width - drawnWidth) / 2, (height - drawnHeight) / 2, drawnWidth, drawnHeight)
    for (const quality of QUALITIES) {
      const bytes = await canvas.encode('webp', quality)
      if (bytes.byteLength <= MOST_BYTES[size]) return bytes
    }
    throw new Failure('invalid_request', 'This picture is not accepted: it has too much detail to be stored')
  }
  return { card: await encodeAs('card'), tile: await encodeAs('tile') }
}
