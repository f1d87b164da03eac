import { isDeepStrictEqual } from 'node:util'
import type { CheckedBundle } from '#lib/compute/bundle/checked-bundle.ts'
import type { WorldManifest } from '#lib/compute/bundle/manifest.ts'
import type { Context } from '#lib/core/context/context.ts'
import { requireSession } from '#lib/core/identity/authorise.ts'
import { canonicalPermission } from '#lib/protocol/world-manifest.ts'
import { getWorld, type ListedFile, listFiles } from './get-world.ts'
import { replacementRefusal, requireMayReplace } from './replace-world.ts'
import { withBundle } from './store-bundle.ts'
import type { World } from './world.ts'

/** One file that is not the same before and after. */
export interface FileChange {
  readonly path: string
  /** Bytes; absent for a file that is added. */
  readonly before?: number
  /** Bytes; absent for a file that is removed. */
  readonly after?: number
}

/** Changes that replacing the bundle of a World would make. */
export interface BundleComparison {
  readonly version: { readonly before: string; readonly after: string }
  readonly bundleHash: string
  readonly same: boolean
  /** By path. */
  readonly changes: readonly FileChange[]
  readonly unchanged: number
  /** In bytes. */
  readonly size: { readonly before: number; readonly after: number }
  readonly permissions: { readonly gained: readonly string[]; readonly lost: readonly string[] }
  /** Fields of the manifest that differ, besides version and permissions. */
  readonly fields: readonly string[]
  readonly warnings: readonly string[]
  /** Why this bundle may not take the place; undefined when it may. */
  readonly refusal: string | undefined
}

/**
 * What a bundle would change as the next one of a World; stores nothing. Files are compared as they are served.
 *
 * @throws Failure('unauthenticated'), Failure('not_found'), Failure('forbidden') for accounts other than the owner and
 *   administrators, Failure('invalid_request') with everything that is wrong with the bundle, Failure('overloaded').
 */
export async function compareBundle(
  ctx: Context,
  { id, zip }: { readonly id: string; readonly zip: Uint8Array },
): Promise<BundleComparison> {
  const session = requireSession(ctx)
  const world = await getWorld(ctx, id)
  requireMayReplace(session, world.owner)
  const files = await listFiles(ctx, id)
  return withBundle(ctx, zip, async (bundle) => compare(world, files, bundle))
}

function compare(world: World, files: readonly ListedFile[], bundle: CheckedBundle): BundleComparison {
  const { slug, version } = world.manifest
  const changes = changedFiles(files, bundle.files)
  const refusal = replacementRefusal(
    { owner: world.owner, slug, version, bundleHash: world.bundleHash },
    bundle,
  )
  return {
    version: { before: version, after: bundle.manifest.version },
    bundleHash: bundle.bundleHash,
    same: bundle.bundleHash === world.bundleHash,
    changes,
    unchanged: bundle.files.length - changes.filter(({ after }) => after !== undefined).length,
    size: { before: totalSize(files), after: totalSize(bundle.files) },
    permissions: {
      gained: withoutThoseOf(bundle.manifest.permissions, world.manifest.permissions),
      lost: withoutThoseOf(world.manifest.permissions, bundle.manifest.permissions),
    },
    fields: changedFields(world.manifest, bundle.manifest),
    warnings: bundle.warnings,
    refusal: refusal?.message,
  }
}

function changedFiles(
  before: readonly ListedFile[],
  after: readonly Pick<ListedFile, 'path' | 'size' | 'hash'>[],
): FileChange[] {
  const old = new Map(before.map((file) => [file.path, file]))
  const changes: FileChange[] = []
  for (const file of after) {
    const was = old.get(file.path)
    old.delete(file.path)
    if (was === undefined) changes.push({ path: file.path, after: file.size })
    else if (was.hash !== file.hash) changes.push({ path: file.path, before: was.size, after: file.size })
  }
  for (const { path, size } of old.values()) changes.push({ path, before: size })
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function totalSize(files: readonly { readonly size: number }[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}

/** Permissions in neither spelling among the others. */
function withoutThoseOf(names: readonly string[], others: readonly string[]): string[] {
  const there = new Set(others.map(canonicalPermission))
  return names.filter((name) => !there.has(canonicalPermission(name)))
}

const COMPARED_APART: ReadonlySet<string> = new Set(['version', 'permissions'])

function changedFields(before: WorldManifest, after: WorldManifest): string[] {
  const names = Object.keys({ ...before, ...after }) as (keyof WorldManifest)[]
  return names
    .filter((name) => !COMPARED_APART.has(name) && !isDeepStrictEqual(before[name], after[name]))
    .sort()
}
