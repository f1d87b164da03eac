import type { CheckedBundle } from '#lib/compute/bundle/checked-bundle.ts'
import type { Context } from '#lib/core/context/context.ts'
import { withBundle } from './store-bundle.ts'

/**
 * Checks a bundle as an upload would, and stores nothing.
 *
 * @throws Failure('invalid_request') with everything that is wrong, Failure('overloaded').
 */
export function validateWorld(ctx: Context, zip: Uint8Array): Promise<BundleFacts> {
  return withBundle(ctx, zip, (bundle) => factsOf(ctx, bundle))
}

/** A bundle without its files. */
export type BundleFacts = Omit<CheckedBundle, 'files' | 'asUploaded'>

/** The facts of a bundle, with warnings of what it names on the network. */
export async function factsOf(ctx: Pick<Context, 'db'>, bundle: CheckedBundle): Promise<BundleFacts> {
  const { manifest, bundleHash, manifestHash } = bundle
  const unknown = await unpublishedConnectors(ctx, bundle)
  const warnings = [
    ...bundle.warnings,
    ...unknown.map((name) => `The accepted connector ${JSON.stringify(name)} is not published.`),
  ]
  return { manifest, bundleHash, manifestHash, warnings }
}

async function unpublishedConnectors(
  ctx: Pick<Context, 'db'>,
  { manifest }: CheckedBundle,
): Promise<string[]> {
  const names = [
    ...new Set(
      manifest.acceptedConnectorSets.flatMap((set) => [...set.connectors, ...set.optionalConnectors]),
    ),
  ].slice(0, 100)
  if (names.length === 0) return []
  const rows = await ctx.db.sql<{ name: string }[]>`
    select name from entities where kind = 'connector' and name = any(${names}::text[])`
  const published = new Set(rows.map(({ name }) => name))
  return names.filter((name) => !published.has(name))
}
