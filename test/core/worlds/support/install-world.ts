import { createHash } from 'node:crypto'
import { liftInlineScripts } from '#lib/compute/bundle/lift-inline-scripts.ts'
import { isPage } from '#lib/compute/bundle/mime.ts'
import type { Services } from '#lib/core/context/context.ts'

export type WorldFiles = Readonly<Record<string, string | Uint8Array>>

/**
 * Puts an active World into the store without the ceremony of an upload; its pages are lifted as an upload would.
 *
 * @param bundleHash Any: it is not computed.
 */
export async function installWorld(
  services: Services,
  id: string,
  files: WorldFiles,
  permissions: readonly string[] = [],
  bundleHash = '0'.repeat(64),
): Promise<void> {
  const { sql } = services.db
  const all = Object.entries(files).flatMap(([path, content]) => prepare(path, content))
  await sql`
    insert into worlds (id, slug, owner, status, version, bundle_hash, manifest_hash, entry_path, surfaces, permissions,
      manifest, search_text, created_at, updated_at)
    values (${id}, ${id}, '0x0000000000000000000000000000000000000001', 'active', '1.0.0', ${bundleHash},
      ${'0'.repeat(64)}, 'index.html', ${['world-page']}, ${[...permissions]},
      ${JSON.stringify({ entry: 'index.html', permissions })}::text::jsonb, '', now(), now())`
  for (const { path, bytes } of all) {
    const hash = createHash('sha256').update(bytes).digest('hex')
    await sql`insert into blobs (hash, size) values (${hash}, ${bytes.byteLength}) on conflict do nothing`
    await services.blobs.put(hash, bytes)
    await sql`
      insert into world_files (world_id, path, hash, size) values (${id}, ${path}, ${hash}, ${bytes.byteLength})`
  }
}

function prepare(path: string, content: string | Uint8Array): { path: string; bytes: Uint8Array }[] {
  if (typeof content !== 'string') return [{ path, bytes: content }]
  if (!isPage(path)) return [{ path, bytes: new TextEncoder().encode(content) }]
  const { html, files } = liftInlineScripts(content, path)
  return [{ path, bytes: new TextEncoder().encode(html) }, ...files]
}
