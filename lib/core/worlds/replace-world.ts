import { eq } from 'drizzle-orm'
import type { CheckedBundle } from '#lib/compute/bundle/checked-bundle.ts'
import type { Context, Session } from '#lib/core/context/context.ts'
import { requireSession } from '#lib/core/identity/authorise.ts'
import { recordAct } from '#lib/platform/db/audit.ts'
import { worlds } from '#lib/platform/db/schema/index.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { getWorld, getWorldBySlug, worldNotFound } from './get-world.ts'
import { addFiles, bundleColumns, lockWorld } from './publish-world.ts'
import { storeBundle, type Transaction, withBundle } from './store-bundle.ts'
import type { World } from './world.ts'
import { addVersionRows, findVersion, forgetVersion, keepVersion } from './world-versions.ts'

export interface Replacement {
  readonly id: string
  readonly zip: Uint8Array
}

/** The fields of a World that decide whether a bundle may replace it. */
interface Current {
  readonly owner: string
  readonly slug: string
  readonly version: string
  readonly bundleHash: string
}

/**
 * Replaces the bundle of a World under the same id; the version before stays at its hash. Identical files change
 * nothing, not even the time.
 *
 * @throws Failure('unauthenticated'), Failure('not_found'), Failure('forbidden') for accounts other than the owner and
 *   administrators, Failure('invalid_request') with everything that is wrong with the bundle, Failure('conflict')
 *   for another slug or for other files under the same version, Failure('overloaded'),
 *   Failure('storage_unavailable').
 */
export async function replaceWorld(ctx: Context, { id, zip }: Replacement): Promise<World> {
  const session = requireSession(ctx)
  const world = await getWorld(ctx, id)
  requireMayReplace(session, world.owner)
  return withBundle(ctx, zip, async (bundle) => {
    const { slug, version } = world.manifest
    if (isSame({ owner: world.owner, slug, version, bundleHash: world.bundleHash }, bundle)) return world
    await storeBundle(ctx, bundle, (tx) => updateWorld(ctx, tx, id, bundle))
    return getWorld(ctx, id)
  })
}

async function updateWorld(ctx: Context, tx: Transaction, id: string, bundle: CheckedBundle): Promise<void> {
  const current = await lockWorld(tx, id)
  // Checked again: it may have been replaced or deleted meanwhile.
  if (current === undefined) throw worldNotFound()
  requireMayReplace(requireSession(ctx), current.owner)
  if (isSame(current, bundle)) return
  const now = ctx.clock()
  await keepVersion(tx, now, id)
  await forgetVersion(tx, now, id, bundle.bundleHash)
  await addFiles(tx, id, bundle)
  await tx
    .update(worlds)
    .set({ ...bundleColumns(bundle), updatedAt: now })
    .where(eq(worlds.id, id))
  const { address } = requireSession(ctx)
  if (address !== current.owner) {
    const reason = `version ${bundle.manifest.version}, files ${bundle.bundleHash}`
    await recordAct(tx, { at: now, actor: address, act: 'replace_world_of_another', subject: id, reason })
  }
}

/**
 * Adds a bundle as an earlier version of the active World of its slug, which stays as it is.
 *
 * @returns undefined where there is no such World.
 * @throws As `replaceWorld`.
 */
export async function addVersion(ctx: Context, bundle: CheckedBundle): Promise<World | undefined> {
  const session = requireSession(ctx)
  const { bundleHash, manifest } = bundle
  const world = await getWorldBySlug(ctx, manifest.slug).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not_found') return undefined
    throw error
  })
  if (world === undefined) return undefined
  requireMayReplace(session, world.owner)
  await storeBundle(ctx, bundle, async (tx) => {
    const current = await lockWorld(tx, world.id)
    if (current === undefined) throw worldNotFound()
    requireMayReplace(session, current.owner)
    if (current.bundleHash !== bundleHash) await addVersionRows(tx, ctx.clock(), world.id, bundle)
  })
  const version = await findVersion(ctx, bundleHash)
  // As the first to give way where the account has no room.
  if (version?.found !== 'version') {
    throw new Failure('storage_full', 'The Worlds of the account leave no room for this version')
  }
  return version.world
}

/** @throws Failure('forbidden') for accounts other than the owner and administrators. */
export function requireMayReplace(session: Session, owner: string): void {
  if (session.address !== owner && !session.roles.includes('admin')) {
    throw new Failure('forbidden', 'This World belongs to another account')
  }
}

/** @throws {Failure} `conflict` when the bundle may not replace the current one. */
function isSame(current: Current, bundle: CheckedBundle): boolean {
  const refusal = replacementRefusal(current, bundle)
  if (refusal !== undefined) throw refusal
  return bundle.bundleHash === current.bundleHash
}

/** Why a bundle may not replace the current one; undefined when it may. */
export function replacementRefusal(
  current: Current,
  { manifest, bundleHash }: Pick<CheckedBundle, 'manifest' | 'bundleHash'>,
): Failure | undefined {
  if (manifest.slug !== current.slug) {
    return new Failure(
      'conflict',
      `The slug of a World cannot change: this one is "${current.slug}", the bundle says "${manifest.slug}"`,
    )
  }
  if (bundleHash !== current.bundleHash && manifest.version === current.version) {
    return new Failure(
      'conflict',
      `Version ${JSON.stringify(manifest.version)} is published with other files: raise the version`,
    )
  }
  return undefined
}
