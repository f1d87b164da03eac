import type { Context } from '../context.ts'
import type { CheckedBundle } from './bundle/checked-bundle.ts'

/**
 * Checks a bundle as an upload would, and stores nothing.
 *
 * @throws Failure('invalid_request') with everything that is wrong, Failure('overloaded').
 */
export async function validateWorld(ctx: Context, zip: Uint8Array): Promise<CheckedBundle> {
  const bundle = await ctx.bundles.check(zip, ctx.signal)
  const unknown = await unpublishedConnectors(ctx, bundle)
  return {
    ...bundle,
    warnings: [
      ...bundle.warnings,
      ...unknown.map((name) => `The accepted connector ${JSON.stringify(name)} is not published.`),
    ],
  }
}

async function unpublishedConnectors(ctx: Context, { manifest }: CheckedBundle): Promise<string[]> {
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
