import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { and, eq, gt, like } from 'drizzle-orm'
import { BUNDLE_LIMITS } from '#lib/compute/bundle/limits.ts'
import type { Context } from '#lib/core/context/context.ts'
import { requireSession } from '#lib/core/identity/authorise.ts'
import { blobLeases, blobs } from '#lib/platform/db/schema/index.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { requireRoom } from './storage-quota.ts'

/*
 * Bundles that browsers send to the bucket itself, because the platform that runs the site takes no large bodies. The
 * bucket is trusted with keeping bytes, not with checking them: they are read once, and checked like a direct upload.
 */

/** Where a browser may PUT a bundle, once signed. */
export interface UploadAddress {
  readonly key: string
  readonly url: string
  /** `Content-Type` that the PUT must have. */
  readonly type: string
  readonly expiresAt: Date
}

const TYPE = 'application/zip'
/** Time to begin the PUT. */
const ADDRESS_MS = 10 * 60_000
/** Time until the upload can no longer be completed, also of a slow PUT that began in the last moment. */
const COMPLETE_MS = 30 * 60_000
/** Beyond the end of any PUT to the address, so that the collector meets what came after completion, too. */
const LEASE_MS = 90 * 60_000
/** Uploads of one account that are registered; approximate where many begin at once. */
const MAX_OF_ACCOUNT = 30

/**
 * Begins an upload: registers an object that the collector removes whatever happens, and signs its address.
 *
 * @param size Of the bundle in bytes; the signature holds for exactly that many.
 * @throws Failure('unauthenticated'), Failure('not_found') where the site takes none, Failure('payload_too_large'),
 *   Failure('too_many'), Failure('storage_full') where the site has no room for the bundle.
 */
export async function addressUpload(ctx: Context, size: number): Promise<UploadAddress> {
  const { address: owner } = requireSession(ctx)
  const sign = signerOf(ctx)
  if (size > BUNDLE_LIMITS.upload) {
    throw new Failure('payload_too_large', `A bundle has at most ${BUNDLE_LIMITS.upload} bytes`)
  }
  const now = ctx.clock()
  const begun = await ctx.db.orm
    .select({ leaseId: blobLeases.leaseId })
    .from(blobLeases)
    .where(and(like(blobLeases.leaseId, `${leaseOf(owner, '')}%`), gt(blobLeases.expiresAt, now)))
    .limit(MAX_OF_ACCOUNT)
  if (begun.length >= MAX_OF_ACCOUNT) {
    throw new Failure('too_many', 'This account has begun too many uploads: wait an hour')
  }
  const claims = { id: randomBytes(16).toString('hex'), size, until: now.getTime() + COMPLETE_MS }
  const key = keyOf(ctx, owner, claims)
  await ctx.db.orm.transaction(async (tx) => {
    await tx.insert(blobs).values({ hash: key, size })
    await requireRoom(ctx, tx)
    const expiresAt = new Date(now.getTime() + LEASE_MS)
    await tx.insert(blobLeases).values({ leaseId: leaseOf(owner, claims.id), hash: key, expiresAt })
  })
  const url = await sign(key, { bytes: size, type: TYPE, seconds: ADDRESS_MS / 1000 })
  return { key, url, type: TYPE, expiresAt: new Date(now.getTime() + ADDRESS_MS) }
}

/**
 * Completes an upload: hands its bytes to `use`, once. What was uploaded is deleted afterwards, also when `use` fails.
 *
 * @throws Failure('unauthenticated'), Failure('not_found') for a key that is not the account's, has expired or was
 *   completed, Failure('invalid_request') unless exactly the announced bytes are there, Failure('overloaded'),
 *   Failure('storage_unavailable').
 */
export async function takeUpload<T>(
  ctx: Context,
  key: string,
  use: (zip: Uint8Array) => Promise<T>,
): Promise<T> {
  const { address: owner } = requireSession(ctx)
  signerOf(ctx)
  const claims = claimsOf(ctx, owner, key)
  const now = ctx.clock()
  if (claims === undefined || now.getTime() >= claims.until) throw noUpload()
  const reservation = ctx.memory.reserve(ctx.principal, 'uploads')
  try {
    reservation.add(claims.size)
    const leaseId = leaseOf(owner, claims.id)
    // Of several requests one renames the lease. It stays: the address can still be written to.
    const leases = await ctx.db.orm
      .update(blobLeases)
      .set({ leaseId: `${leaseId} done` })
      .where(and(eq(blobLeases.leaseId, leaseId), eq(blobLeases.hash, key), gt(blobLeases.expiresAt, now)))
      .returning({ hash: blobLeases.hash })
    if (leases.length === 0) throw noUpload()
    try {
      // One more than announced, so that a larger object is seen without being read.
      const zip = await ctx.blobs.read(key, { start: 0, end: claims.size + 1 })
      if (zip?.byteLength !== claims.size) {
        throw new Failure('invalid_request', `Not exactly the ${claims.size} announced bytes were uploaded`)
      }
      return await use(zip)
    } finally {
      await ctx.blobs.delete([key]).catch((reason: unknown) => {
        ctx.log.warn({ err: reason }, 'an uploaded bundle stays until its lease expires')
      })
    }
  } finally {
    reservation.release()
  }
}

function signerOf({ config, blobs: store }: Context) {
  if (!config.uploadsByAddress || store.signUpload === undefined) {
    throw new Failure('not_found', 'This site takes bundles directly: POST them to /services/worlds/upload')
  }
  return store.signUpload
}

function noUpload(): Failure {
  return new Failure('not_found', 'There is no such upload of this account, or it expired or was completed')
}

function leaseOf(owner: Address, id: string): string {
  return `upload ${owner} ${id}`
}

interface Claims {
  /** 32 hex digits. */
  readonly id: string
  readonly size: number
  /** Milliseconds since 1970, when it can no longer be completed. */
  readonly until: number
}

const KEY = /^upload-([0-9a-f]{32})-([1-9]\d{0,8})-([1-9]\d{0,14})-([0-9a-f]{32})$/

function keyOf({ config }: Pick<Context, 'config'>, owner: Address, { id, size, until }: Claims): string {
  const secret = new Uint8Array(hkdfSync('sha256', config.sessionKey, '', 'weft addressed upload', 32))
  const tag = createHmac('sha256', secret).update(`${owner} ${id} ${size} ${until}`).digest('hex')
  return `upload-${id}-${size}-${until}-${tag.slice(0, 32)}`
}

/** @returns undefined for a key that this site did not make for `owner`. */
function claimsOf(ctx: Pick<Context, 'config'>, owner: Address, key: string): Claims | undefined {
  const [, id = '', size, until] = KEY.exec(key) ?? []
  if (id === '') return undefined
  const claims = { id, size: Number(size), until: Number(until) }
  return timingSafeEqual(Buffer.from(keyOf(ctx, owner, claims)), Buffer.from(key)) ? claims : undefined
}
