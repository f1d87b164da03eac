import type { Context } from '../context.ts'
import { dropLease, leaseBlobs, redeemLease, type Transaction } from './blob-leases.ts'
import { type BundleFile, type CheckedBundle, readBundleFile } from './bundle/checked-bundle.ts'
import { collectGarbage } from './collect-garbage.ts'

/** Files written side by side; together they are never more than a bundle may extract to. */
const WRITES_AT_ONCE = 4

/**
 * Stores the files of a bundle, then runs `publish` in one transaction. When any of it fails, the files that are in
 * no other World are deleted again; when the process dies, somebody's next collection does it.
 *
 * @param zip What `bundle` was read from.
 */
export async function storeBundle<T>(
  ctx: Context,
  zip: Uint8Array,
  bundle: CheckedBundle,
  publish: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { leaseId, present } = await leaseBlobs(ctx, bundle.files)
  try {
    await writeMissing(ctx, zip, bundle.files, present)
    const published = await ctx.db.orm.transaction(async (tx) => {
      await redeemLease(tx, ctx.clock(), leaseId)
      return publish(tx)
    })
    await tidyUp(ctx)
    return published
  } catch (error) {
    await letGo(ctx, leaseId)
    throw error
  }
}

/** Ends a lease and deletes what only it kept. What goes wrong with that is no failure of the request. */
export async function letGo(
  ctx: Pick<Context, 'db' | 'blobs' | 'clock' | 'log'>,
  leaseId: string,
): Promise<void> {
  await dropLease(ctx, leaseId).catch((reason: unknown) => {
    ctx.log.warn({ err: reason, leaseId }, 'files of a World nobody has stay until their lease expires')
  })
  await tidyUp(ctx)
}

/** Deletes what nobody refers to. What goes wrong with that is no failure of the request. */
export async function tidyUp(ctx: Pick<Context, 'db' | 'blobs' | 'clock' | 'log'>): Promise<void> {
  try {
    await collectGarbage(ctx)
  } catch (error) {
    ctx.log.warn({ err: error }, 'unused files of Worlds could not be deleted yet')
  }
}

/** Stores the files of a bundle that are leased, besides those that are there. */
export async function writeMissing(
  ctx: Context,
  zip: Uint8Array,
  all: readonly BundleFile[],
  present: ReadonlySet<string>,
): Promise<void> {
  const byHash = new Map(all.map((file) => [file.hash, file] as const))
  const files = [...byHash.values()].filter(({ hash }) => !present.has(hash))
  const stop = new AbortController()
  const write = async () => {
    try {
      for (let file = files.pop(); file !== undefined; file = files.pop()) {
        ctx.signal.throwIfAborted()
        stop.signal.throwIfAborted()
        await ctx.blobs.put(file.hash, await readBundleFile(zip, file))
      }
    } catch (error) {
      stop.abort(error)
      throw error
    }
  }
  // All, also when one fails: nothing may still be writing when the lease is dropped.
  const ends = await Promise.allSettled(Array.from({ length: WRITES_AT_ONCE }, write))
  if (ends.some(({ status }) => status === 'rejected')) throw stop.signal.reason
}
