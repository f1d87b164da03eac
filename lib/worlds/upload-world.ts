import type { Context } from '../context.ts'
import { worlds } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { requireSession } from '../identity/require-session.ts'
import type { Transaction } from './blob-leases.ts'
import type { CheckedBundle } from './bundle/checked-bundle.ts'
import { addFiles, bundleColumns, checkWorldLimit } from './publish-rows.ts'
import { storeBundle } from './store-bundle.ts'
import type { World } from './world.ts'
import { newWorldId } from './world-id.ts'

/**
 * Publishes a bundle as a new World of the caller. A slug is one active World's at a time; of several uploads with
 * the same, exactly one succeeds.
 *
 * @throws Failure('unauthenticated'), Failure('invalid_request') with everything that is wrong with the bundle,
 *   Failure('conflict') when an active World has the slug, Failure('too_many'), Failure('overloaded'),
 *   Failure('storage_unavailable').
 */
export async function uploadWorld(ctx: Context, zip: Uint8Array): Promise<World> {
  const { address: owner } = requireSession(ctx)
  const bundle = await ctx.bundles.check(zip, ctx.signal)
  // Asked again with the writing; here it saves storing what will be refused.
  const refusal = await publishRefusal(ctx, bundle, owner)
  if (refusal !== undefined) throw refusal
  return storeBundle(ctx, zip, bundle, (tx) => insertWorld(ctx, tx, bundle, owner))
}

async function insertWorld(
  ctx: Context,
  tx: Transaction,
  bundle: CheckedBundle,
  owner: Address,
): Promise<World> {
  await checkWorldLimit(tx, owner, ctx.config.maxWorldsPerOwner)
  const id = newWorldId()
  const now = ctx.clock()
  const inserted = await tx
    .insert(worlds)
    .values({ id, owner, status: 'active', ...bundleColumns(bundle), createdAt: now, updatedAt: now })
    .onConflictDoNothing()
    .returning({ id: worlds.id })
  if (inserted.length === 0) throw slugTaken(bundle.manifest.slug)
  await addFiles(tx, id, bundle)
  const { manifest, bundleHash, manifestHash } = bundle
  return { id, owner, manifest, bundleHash, manifestHash, createdAt: now, updatedAt: now }
}

/** Why a bundle that keeps all rules cannot become a new World of `owner`, or of a visitor who signs in. */
export async function publishRefusal(
  ctx: Pick<Context, 'db'>,
  { manifest: { slug }, bundleHash }: Pick<CheckedBundle, 'manifest' | 'bundleHash'>,
  owner: Address | undefined,
): Promise<Failure | undefined> {
  const [row] = await ctx.db.sql<{ owner: Address; bundle_hash: string }[]>`
    select owner, bundle_hash from worlds where slug = ${slug} and status = 'active'`
  if (row === undefined) return undefined
  if (row.owner === owner && row.bundle_hash === bundleHash) {
    return new Failure('conflict', `You have published this bundle already, as the World "${slug}"`)
  }
  return slugTaken(slug)
}

function slugTaken(slug: string): Failure {
  return new Failure('conflict', `A World with the slug "${slug}" exists already: choose another slug`)
}
